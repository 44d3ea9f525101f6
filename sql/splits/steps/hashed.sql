-- hashed: every interaction with the hash of its user, and the hash of its user and item.
--
-- A hash is MD5 of UTF-8 text as 32 hexadecimal digits in lower case, so it is the same on every engine. The texts are
-- 'seed:method:rows of the input:user' and 'user_hash:item': user_hash has one length, so no two pairs of ids give the same
-- text. A train set has fewer rows than the data that it was split from. So a split of it has other hashes: with the
-- same hashes, its test would hold none of the rows that were drawn first. The count reads the input: a database that
-- read kept_rows twice would keep these rows in memory.
WITH row_counts AS (
  SELECT COUNT(*) AS n_rows
  FROM interactions
),
hashed_users AS (
  SELECT
    kept_rows.*,
    MD5($seed || ':' || $method || ':' || CAST($stable AS VARCHAR) || ':' || CAST(user_id AS VARCHAR)) AS user_hash
  FROM kept_rows
  CROSS JOIN row_counts
)
SELECT *, user_hash, MD5(user_hash || ':' || CAST(item_id AS VARCHAR)) AS row_hash
FROM hashed_users
