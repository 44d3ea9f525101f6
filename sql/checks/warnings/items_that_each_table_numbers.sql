-- items_that_each_table_numbers: Both inputs number their items without gaps, and differently.
--
-- severity: warning
-- found: by a test
-- order: 107
-- needs: cut lists
-- say: The ids of the items have no gaps in either input: {items_recommended} numbers in the recommendations,
--    {items_judged} in the truth. If each table was numbered by itself, as by factorize() or category codes, a number
--    means different items. Number the items of both together, or keep their own ids.
SELECT items_recommended AS n
FROM account
