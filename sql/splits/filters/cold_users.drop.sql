-- cold_users: the split without test rows of users who have no other rows.
WITH user_knowledge AS (
  SELECT
    *,
    MAX(CASE WHEN subset = 'test' THEN 0 ELSE 1 END) OVER (PARTITION BY fold, user_id) AS is_known_user
  FROM assigned
  WHERE subset IS NOT NULL
)
SELECT *, subset
FROM user_knowledge
WHERE subset <> 'test' OR is_known_user = 1
