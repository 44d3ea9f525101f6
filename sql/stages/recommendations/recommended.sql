-- recommended: the recommendations that can matter: those up to the deepest cutoff asked for.
SELECT list_id, item, rank
FROM ranked
WHERE rank <= $deepest
