-- ranks_with_gaps: The ranks of some lists have gaps.
--
-- severity: warning
-- order: 108
-- needs: cut lists
-- say: The ranks of {lists_with_gaps} of {lists_recommended} lists{of systems} have gaps:
--    {filtered_recs: recommendations were left out after they were ranked; {where=} leaves out recommendations; }, and
--    the others count at the ranks of column {column rank}. {ranks=again} ranks them again;
--    {ranks=given} keeps these ranks without a warning.
SELECT lists_with_gaps AS n
FROM account
WHERE lists_with_gaps >= 10 AND 100 * lists_with_gaps >= lists_recommended
