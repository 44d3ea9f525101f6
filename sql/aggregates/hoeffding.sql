-- hoeffding: half the width of an interval of the mean that holds for any distribution of this range: Hoeffding's bound (1963), with the lowest and the highest value of the lists as the range
SELECT (MAX(value) - MIN(value)) * SQRT($tail / (2 * COUNT(value))) AS hoeffding
FROM per_list
