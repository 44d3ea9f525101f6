-- recommended_popularity_quantiles: one row per recommendation, with the popularity quantile of the item: 0 if no user has the item.
SELECT recommended.list_id, recommended.rank, COALESCE(popularity_quantiles.quantile, CAST(0 AS DOUBLE)) AS quantile
FROM recommended
LEFT JOIN popularity_quantiles
  ON recommended.fold_id = popularity_quantiles.fold_id AND recommended.item = popularity_quantiles.item
