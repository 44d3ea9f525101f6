-- alpha: share of the history's category distribution that is mixed into the list's, so that the divergence stays finite if the list lacks a category.
--
-- range: (0, 1)
SELECT 0.01 AS alpha
