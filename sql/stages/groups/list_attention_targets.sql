-- list_attention_targets: one row per list and category that it recommends, with its share of the attention and the share that it should have.
SELECT list_attention_shares.list_id, list_attention_shares.share, category_targets.target
FROM list_attention_shares
JOIN category_targets
  ON list_attention_shares.fold_id = category_targets.fold_id AND list_attention_shares.category = category_targets.category
