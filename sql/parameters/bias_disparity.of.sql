-- of: the bias that is returned. A bias is a share of a category, divided by its share of all items.
SELECT
  recommended_share / NULLIF(history_share, 0) - 1 AS change, -- the change of the bias from the history to the recommendations, as a share of it: BD
  recommended_share / item_share AS recommended, -- the bias of the recommendations: BR
  history_share / item_share AS history -- the bias of the history: BS
FROM category_biases
