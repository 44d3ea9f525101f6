-- list_profile: the categories of the first k places of a list, as shares that add up to 1.
SELECT list_id, category, mass / SUM(mass) OVER (PARTITION BY list_id) AS share
FROM list_parts
