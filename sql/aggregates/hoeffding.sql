-- hoeffding: half the width of an interval of the mean that holds for any values in the declared range of the metric: Hoeffding's bound (1963); refused for a metric without a range
--
-- source: Hoeffding (1963), Probability inequalities for sums of bounded random variables. doi:10.1080/01621459.1963.10500830
SELECT LEAST(SQRT($tail_of_2 * concentration / 2), CAST(1 AS DOUBLE)) AS hoeffding
FROM intervals
