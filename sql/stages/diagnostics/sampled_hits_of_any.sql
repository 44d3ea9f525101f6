-- sampled_hits_of_any: the recommendations of the sampled lists, with the number of sampled lists for which the item is relevant.
SELECT sampled_recommendations.list_id, sampled_item_frequencies.n_lists
FROM sampled_recommendations
JOIN sampled_item_frequencies ON sampled_recommendations.item = sampled_item_frequencies.item
