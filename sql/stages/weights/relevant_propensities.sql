-- relevant_propensities: one row per truth list and relevant item, with its propensity.
SELECT truth_id, item, rating, $propensity AS propensity
FROM relevant_exposure
