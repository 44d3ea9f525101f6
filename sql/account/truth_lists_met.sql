-- truth_lists_met: of those, lists that have a truth
SELECT COUNT(*) AS truth_lists_met
FROM truth_lists_with_recommendations
