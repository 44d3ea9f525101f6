-- lists_with_gaps: lists have gaps in their ranks, as after a filter; hits count at the ranks that are given
--
-- needs: ranks without gaps
-- shown: if any
-- counted: in doubt
SELECT COUNT(*) AS lists_with_gaps
FROM lists_with_gaps
