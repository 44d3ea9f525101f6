-- truth_lists_met: truth lists that have recommendations
--
-- counted: in doubt
SELECT COUNT(*) AS truth_lists_met
FROM truth_lists_with_recommendations
