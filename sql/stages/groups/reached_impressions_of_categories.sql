-- reached_impressions_of_categories: one row per recommendation of a catalogue item among the first k of a scored list and category of the item, with the share of the readers who get to it.
--
-- part: its part of the exposure of one catalogue item of the category.
SELECT
  impressions_of_categories.list_id, impressions_of_categories.rank, impressions_of_categories.category,
  impressions_of_categories.part, readers.reached
FROM impressions_of_categories
JOIN readers ON impressions_of_categories.list_id = readers.list_id AND impressions_of_categories.rank = readers.rank
WHERE readers.reached IS NOT NULL
