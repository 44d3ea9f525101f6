-- join_texts_of_array
SELECT CONCAT_WS(':', a, b);

-- bigquery
SELECT ARRAY_TO_STRING([a, b], ':');
