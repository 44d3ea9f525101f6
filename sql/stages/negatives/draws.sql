-- draws: one row per truth list and item that may be drawn for it, with a key. The lowest keys are drawn, each item with the same probability.
SELECT truth_id, item, hash AS draw_key
FROM seeded_hashes
