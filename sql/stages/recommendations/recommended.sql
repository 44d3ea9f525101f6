-- recommended: one row per recommendation down to the largest cutoff.
SELECT list_id, item, rank
FROM ranked
WHERE rank <= $deepest
