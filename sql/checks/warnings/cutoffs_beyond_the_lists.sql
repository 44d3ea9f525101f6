-- cutoffs_beyond_the_lists: A metric reads further than any list.
--
-- severity: warning
-- found: by a test
-- order: 125
-- needs: cut lists
-- say: No list has more than {lists_longest: item; items}, and {labels} {read} further: the number is that of the
--    first {lists_longest}. Give longer lists, or a smaller cutoff.
SELECT lists_longest AS n
FROM account
