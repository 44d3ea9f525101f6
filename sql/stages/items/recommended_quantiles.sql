-- recommended_quantiles: the recommendations with where their item stands by popularity; 0 for one that nobody knows.
SELECT recommended.list_id, recommended.rank, COALESCE(popularity_ranks.quantile, CAST(0 AS DOUBLE)) AS quantile
FROM recommended
LEFT JOIN popularity_ranks
  ON recommended.fold_id = popularity_ranks.fold_id AND recommended.item = popularity_ranks.item
