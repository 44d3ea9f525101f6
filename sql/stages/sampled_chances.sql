-- sampled_chances: the recommendations of the sampled lists, with the chance that another sampled list's truth has the item.
SELECT sampled_places.list_id, CAST(sampled_popularity.n_lists AS DOUBLE) / sampled_counts.n_sampled AS chance
FROM sampled_places
JOIN sampled_popularity ON sampled_places.item = sampled_popularity.item
CROSS JOIN sampled_counts
