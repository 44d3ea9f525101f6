-- repeated_items_of_sampled_lists: Recommendations of the sampled lists repeat an item of their list.
--
-- severity: warning
-- order: 104
-- needs: counted repeats
-- heading: repeated-items
-- say: {sampled_repeated} of {sampled_counted} recommendations{of sampled lists} repeat an item of their list. A
--    relevant item is credited once, unless a metric says otherwise. Is a column missing that tells systems apart? A
--    list is identified by {lists}.
SELECT sampled_repeated AS n
FROM account
WHERE sampled_repeated >= 10 AND 100 * sampled_repeated >= sampled_counted AND (recs_repeated < 10 OR 100 * recs_repeated < recs_counted)
