-- draws: the items that may be drawn for each list; those with the lowest keys are drawn, each item with the same chance.
SELECT truth_id, item, hash AS draw_key
FROM seeded_hashes
