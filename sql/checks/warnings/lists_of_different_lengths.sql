-- lists_of_different_lengths: Lists of one system are longer than those of another.
--
-- severity: warning
-- found: by a test
-- order: 117
-- needs: whole lists
-- say: Lists differ in length: they have {least:.3g} items on average{of short} and {greatest:.3g}{of
--    long}{first}.
SELECT lists_recommended AS n
FROM account
