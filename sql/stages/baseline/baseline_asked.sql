-- baseline_asked: the lists of the recommendations, as the baseline would know them.
SELECT DISTINCT baseline_id
FROM presence
