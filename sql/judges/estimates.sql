-- estimates: one row per row of `by` and metric, with the mean by the judge's labels, corrected by people's labels (PPI++).
--
-- People labelled n lists, and only the judge labelled N others. Of a list, h is the value by people's labels, and j the value
-- by the judge's labels.
--
--   estimate = mean of h + lambda * (mean of the unlabelled j - mean of the labelled j)
--   variance = variance of (h - lambda * j) / n + lambda² * variance of the unlabelled j / N
--   lambda   = covariance of h and j / ((1 + n / N) * variance of all j), not below 0 and not above 1
--
-- If the judge gives all lists the same value, or people labelled all lists, lambda is 0, and the estimate is the mean of h.
-- With fewer than two labelled lists, it is NULL. With fewer than $least_lists, the intervals are NULL: they would be too
-- narrow; so are they if all labelled lists have the same value by people's labels.
-- source: Angelopoulos, Duchi, Zrnic (2023), PPI++: Efficient Prediction-Powered Inference. arXiv:2311.01453
WITH means AS (
  SELECT
    by_id,
    metric,
    position,
    human_value,
    judge_value,
    unlabelled_value,
    COALESCE(judge_value, unlabelled_value) AS value,
    AVG(human_value) OVER (PARTITION BY by_id, metric) AS human_mean,
    AVG(judge_value) OVER (PARTITION BY by_id, metric) AS labelled_mean,
    AVG(unlabelled_value) OVER (PARTITION BY by_id, metric) AS unlabelled_mean,
    AVG(COALESCE(judge_value, unlabelled_value)) OVER (PARTITION BY by_id, metric) AS judge_mean
  FROM truth_list_values
),
sums AS (
  SELECT
    by_id,
    metric,
    position,
    COUNT(human_value) AS n_labelled,
    COUNT(unlabelled_value) AS n_unlabelled,
    COUNT(*) - COUNT(value) AS n_undefined,
    CAST(COUNT(human_value) AS DOUBLE) AS labelled,
    CAST(COUNT(unlabelled_value) AS DOUBLE) AS unlabelled,
    AVG(human_value) AS human_mean,
    AVG(judge_value) AS labelled_mean,
    AVG(unlabelled_value) AS unlabelled_mean,
    AVG(value) AS judge_mean,
    AVG((human_value - human_mean) * (human_value - human_mean)) AS human_variance,
    AVG((judge_value - labelled_mean) * (judge_value - labelled_mean)) AS labelled_variance,
    AVG((human_value - human_mean) * (judge_value - labelled_mean)) AS covariance,
    AVG((unlabelled_value - unlabelled_mean) * (unlabelled_value - unlabelled_mean)) AS unlabelled_variance,
    AVG((value - judge_mean) * (value - judge_mean)) AS judge_variance
  FROM means
  GROUP BY by_id, metric, position
),
weights AS (
  SELECT
    by_id,
    metric,
    position,
    n_labelled,
    n_unlabelled,
    n_undefined,
    labelled,
    unlabelled,
    human_mean,
    labelled_mean,
    unlabelled_mean,
    judge_mean,
    human_variance,
    labelled_variance,
    covariance,
    unlabelled_variance,
    CASE
      WHEN labelled < 2 THEN NULL
      -- values that differ by less than 1e-9 differ by the order in which an engine adds
      WHEN judge_variance <= CAST(1e-18 AS DOUBLE) * judge_mean * judge_mean THEN CAST(0 AS DOUBLE)
      -- covariance / ((1 + n / N) * variance), where the variance is that of a sample; both are numbers here
      ELSE LEAST(GREATEST(
        covariance * unlabelled * (labelled + unlabelled - 1)
        / ((labelled + unlabelled) * (labelled + unlabelled) * judge_variance),
        CAST(0 AS DOUBLE)
      ), CAST(1 AS DOUBLE))
    END AS weight
  FROM sums
),
errors AS (
  SELECT
    by_id,
    metric,
    position,
    n_labelled,
    n_unlabelled,
    n_undefined,
    human_mean,
    judge_mean,
    human_variance,
    weight,
    human_mean + weight * (COALESCE(unlabelled_mean, 0) - labelled_mean) AS estimate,
    CASE
      WHEN labelled >= $least_lists AND human_variance > CAST(1e-18 AS DOUBLE) * human_mean * human_mean
      THEN SQRT(human_variance / labelled)
    END AS human_error,
    (human_variance - 2 * weight * covariance + weight * weight * labelled_variance) / labelled
    + weight * weight * COALESCE(unlabelled_variance / unlabelled, 0) AS variance
  FROM weights
),
intervals AS (
  SELECT
    *,
    CASE WHEN human_error > 0 THEN SQRT(GREATEST(variance, CAST(0 AS DOUBLE))) END AS error
  FROM errors
)
SELECT
  by_id,
  metric,
  estimate,
  estimate - $deviations * error AS ci_low,
  estimate + $deviations * error AS ci_high,
  weight AS lambda,
  human_mean,
  human_mean - $deviations * human_error AS human_ci_low,
  human_mean + $deviations * human_error AS human_ci_high,
  judge_mean,
  n_labelled,
  n_unlabelled,
  n_undefined,
  CASE WHEN variance > 0 THEN human_variance / variance END AS n_effective
FROM intervals
ORDER BY by_id, position
