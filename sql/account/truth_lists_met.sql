-- truth_lists_met: truth lists that have recommendations
SELECT COUNT(*) AS truth_lists_met
FROM truth_lists_with_recommendations
