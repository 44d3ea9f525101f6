-- sampled_chances: the recommendations of the sampled lists, with how many of these lists have the item in their truth.
SELECT sampled_places.list_id, sampled_popularity.n_lists
FROM sampled_places
JOIN sampled_popularity ON sampled_places.item = sampled_popularity.item
