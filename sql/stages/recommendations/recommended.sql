-- recommended: the recommendations down to the largest cutoff.
SELECT list_id, item, rank
FROM ranked
WHERE rank <= $deepest
