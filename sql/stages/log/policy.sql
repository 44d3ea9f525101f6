-- policy: one row per item and position at which a policy may show it, with its probability. A ranking shows each item at its rank, for certain.
SELECT list_id, item, rank, CAST(1 AS DOUBLE) AS probability
FROM ranked
