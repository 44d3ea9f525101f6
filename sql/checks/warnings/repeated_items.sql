-- repeated_items: Recommendations repeat an item of their list.
--
-- severity: warning
-- order: 103
-- needs: counted repeats
-- say: {recs_repeated} of {recs_counted} recommendations repeat an item of their list. A relevant item is credited
--    once, unless a metric says otherwise. Is a column missing that tells systems apart? A list is identified by
--    {lists}.
SELECT recs_repeated AS n
FROM account
WHERE recs_repeated >= 10 AND 100 * recs_repeated >= recs_counted
