-- category: the name of a category; without it, the mean over all categories is taken.
SELECT CAST(NULL AS TEXT) AS category
