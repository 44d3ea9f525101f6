-- n_lowered: number of logged actions at the first k positions whose importance weight `clip` or `weighting` makes smaller.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN $weighting < importance THEN 1 END) AS n_lowered
FROM action_weights
WHERE rank <= $k
