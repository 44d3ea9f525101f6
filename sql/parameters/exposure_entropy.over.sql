-- over: what the information of the items is averaged over.
SELECT
  impression_information / NULLIF(n_impressions, 0) AS places, -- all places
  list_information / NULLIF(n_scored, 0) AS lists -- lists, each the mean of its places; an empty list adds 0 (Elliot)
FROM runs
