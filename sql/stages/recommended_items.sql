-- recommended_items: the different items recommended, by whatever system.
SELECT DISTINCT item
FROM recommended
