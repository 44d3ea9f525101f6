-- recs_repeated: recommendations of an item that their list has already; a relevant item is credited once, unless a metric says otherwise
--
-- All recommendations count, whatever the cutoffs: the rows of a list that have an item, minus its distinct items.
-- shown: if any
-- needs: single positions
-- counted: in doubt
SELECT COALESCE(SUM(n_repeated), 0) AS recs_repeated
FROM list_repeat_counts
