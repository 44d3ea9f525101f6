-- qualify_columns_named_as_tables
SELECT hits, x FROM hits;

-- bigquery
SELECT `hits`.hits, x
FROM hits;
