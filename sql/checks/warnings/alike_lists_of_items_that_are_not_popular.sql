-- alike_lists_of_items_that_are_not_popular: Lists are alike, and their items are not popular.
--
-- severity: warning
-- found: by a test
-- order: 106
-- needs: cut lists
-- say: The lists{of systems} are alike, and their items are relevant no more often than other items: they have
--    {hits} relevant items in {sample}, and {random:,.0f} are expected of random items. Either the ids of items
--    differ between the two inputs, as after numbering each table by itself, or the items are not chosen by their
--    popularity.
SELECT sampled_hits AS n
FROM account
