-- satisfied_levels: one row per system and impression level of items that have their fair share of impressions, with the number of these items.
SELECT impression_levels.by_id, impression_levels.n_level_impressions / impression_levels.n_impressions AS n_items
FROM impression_levels
JOIN fair_shares ON impression_levels.by_id = fair_shares.by_id
WHERE impression_levels.n_impressions >= fair_shares.fair_share
