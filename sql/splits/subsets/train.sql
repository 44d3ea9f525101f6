-- train: the rows to fit a model on.
SELECT *
FROM assigned
WHERE subset = 'train'
