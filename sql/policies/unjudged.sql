-- unjudged: what becomes of recommended items that nobody judged, because the truth of the list has no row for them.
SELECT
  TRUE AS irrelevant, -- they stay, and count as irrelevant
  TRUE AS removed, -- they are removed before any cutoff, and the items below move up (condensed lists: Sakai 2007)
  rating >= 0 AS removed_negative -- as `removed`, and so are items with a negative rating, which means that nobody judged them (trec_eval -J)
FROM distinct_judgments
