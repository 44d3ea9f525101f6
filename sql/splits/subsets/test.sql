-- test: the rows that are held out.
SELECT *
FROM assigned
WHERE subset = 'test'
