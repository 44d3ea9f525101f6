-- quantile: quantile of the mean of values from 0 to 1 of lists in clusters: Student's
SELECT student AS quantile
FROM intervals
