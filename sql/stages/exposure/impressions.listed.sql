-- impressions: one row per recommendation: every list is scored.
--
-- when: missing = listed
SELECT list_id, item, rank
FROM recommended
