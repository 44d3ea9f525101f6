-- median: middle value; of two middle values, their mean
SELECT MEDIAN(value) AS median
FROM per_list
