-- median: median over lists; the mean of the two middle values, if there are two
SELECT MEDIAN(value) AS median
FROM per_list
