-- hits_tied_with_repeats: one row per hit that shares its score with a repeated hit, or is one, with the rows of its item.
--
-- n_rows: the rows in which the item has this score; 1 if it is not repeated there.
-- needs: repeats
-- depth: whole lists
SELECT
  hits_in_ties.list_id, hits_in_ties.item, hits_in_ties.rank, hits_in_ties.first_rank, hits_in_ties.last_rank,
  COUNT(DISTINCT matches.rank) AS n_rows
FROM hits_in_ties AS repeated
JOIN hits_in_ties ON repeated.list_id = hits_in_ties.list_id AND repeated.first_rank = hits_in_ties.first_rank
JOIN matches ON hits_in_ties.list_id = matches.list_id AND hits_in_ties.item = matches.item
WHERE repeated.worst_rank > repeated.rank AND matches.rank <= hits_in_ties.last_rank
GROUP BY hits_in_ties.list_id, hits_in_ties.item, hits_in_ties.rank, hits_in_ties.first_rank, hits_in_ties.last_rank
