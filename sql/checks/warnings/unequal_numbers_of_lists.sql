-- unequal_numbers_of_lists: A system lacks lists that another has.
--
-- severity: warning
-- found: by a test
-- order: 116
-- say: Lists are missing unequally: there are {greatest}{of many} and {least}{of few}. {lists_empty > 0: ;
--    {lists_empty} of them have rows without an item: leave these rows out. ; }{are_apart: To compare each pair of
--    systems over the lists that both have: {missing=skip}.; If each list was shown to one system only, compare them as
--    arms: {paired=false}.; }
SELECT lists_missing AS n
FROM account
