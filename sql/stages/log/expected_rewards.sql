-- expected_rewards: one row per list and recommended item, with the reward that a model expects of it, the highest of several rows.
SELECT list_id, item, MAX(expected_reward) AS expected_reward
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL
GROUP BY list_id, item
