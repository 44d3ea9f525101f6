-- repeated_hashes: one row per row whose hash the row above has, too.
SELECT row_hash
FROM sorted_hashes
QUALIFY row_hash = LAG(row_hash) OVER ()
