-- unequal_numbers_of_lists: A system lacks lists that another has.
--
-- severity: warning
-- found: by a test
-- order: 116
-- say: Lists are missing unequally: there are {greatest}{of many} and {least}{of few}. {empty lists}{advice}
SELECT lists_missing AS n
FROM account
