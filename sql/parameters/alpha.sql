-- alpha: how much of the history is mixed into the list, lest a category that it lacks make the divergence infinite.
--
-- range: (0, 1)
SELECT 0.01 AS alpha
