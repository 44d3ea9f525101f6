-- over: the unit that the self-information of the items is averaged over.
SELECT
  impression_information / NULLIF(n_impressions, 0) AS places, -- all recommendations
  list_information / NULLIF(n_scored, 0) AS lists, -- all lists, with the mean of the recommendations of each; an empty list adds 0 (Elliot)
  impression_information / NULLIF(n_impressions * n_recommended_items, 0) AS items -- all recommendations, divided by the number of recommended items (RecBole)
FROM runs
