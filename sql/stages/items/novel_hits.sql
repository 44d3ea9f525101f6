-- novel_hits: the hits with how many users know each item, and what that is measured against.
SELECT
  hits.list_id, hits.rank, hits.rating, popularity.n_users, interactions.n_interactions, interactions.fewest
FROM hits
LEFT JOIN popularity ON hits.fold_id = popularity.fold_id AND hits.item = popularity.item
LEFT JOIN interactions ON hits.fold_id = interactions.fold_id
