-- recommended: one row per list and item down to the largest cutoff, after repeated items are removed and later items move up.
--
-- when: duplicates = first
SELECT list_id, item, rank
FROM ranked_without_repeats
WHERE rank <= $deepest
