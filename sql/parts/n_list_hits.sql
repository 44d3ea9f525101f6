-- n_list_hits: number of hits in the whole list, below rank k too.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_list_hits
FROM hits
