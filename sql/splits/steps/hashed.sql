-- hashed: every interaction with the hash of its user, and the hash of its user and item.
--
-- A hash is MD5 of UTF-8 text as 32 hexadecimal digits in lower case, so it is the same on every engine. The texts are
-- 'seed:user' and 'user_hash:item': user_hash has one length, so no two pairs of ids give the same text.
WITH hashed_users AS (
  SELECT *, MD5($seed || ':' || CAST(user_id AS VARCHAR)) AS user_hash
  FROM kept_rows
)
SELECT *, user_hash, MD5(user_hash || ':' || CAST(item_id AS VARCHAR)) AS row_hash
FROM hashed_users
