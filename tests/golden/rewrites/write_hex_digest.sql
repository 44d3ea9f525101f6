-- write_hex_digest
SELECT MD5(MD5(a));

-- tsql
SELECT
  LOWER(
    CONVERT(
      VARCHAR(32),
      HASHBYTES(
        'MD5',
        CAST(LOWER(CONVERT(VARCHAR(32), HASHBYTES('MD5', CAST(a AS VARCHAR(MAX))), 2)) AS VARCHAR(MAX)) COLLATE Latin1_General_100_BIN2_UTF8
      ),
      2
    )
  );
