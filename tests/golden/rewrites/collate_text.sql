-- collate_text
SELECT item, x FROM recs ORDER BY item, x;

-- mysql
SELECT CAST(item AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin AS `item`, x
FROM recs
ORDER BY
  CASE WHEN CAST(item AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin IS NULL THEN 1 ELSE 0 END, CAST(item AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin,
  CASE WHEN x IS NULL THEN 1 ELSE 0 END, x;

-- postgres
SELECT item COLLATE "C" AS "item", x
FROM recs
ORDER BY item COLLATE "C", x;

-- tsql
SELECT item COLLATE Latin1_General_100_BIN2_UTF8 AS [item], x
FROM recs
ORDER BY
  CASE WHEN item COLLATE Latin1_General_100_BIN2_UTF8 IS NULL THEN 1 ELSE 0 END, item COLLATE Latin1_General_100_BIN2_UTF8,
  CASE WHEN x IS NULL THEN 1 ELSE 0 END, x;
