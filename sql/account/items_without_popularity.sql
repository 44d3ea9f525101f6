-- items_without_popularity: different items recommended that the items give no popularity above 0; taken to be known to nobody
--
-- needs: popularity
-- shown: if any
SELECT COUNT(*) AS items_without_popularity
FROM items_without_popularity
