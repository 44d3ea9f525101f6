-- truth_unrated: rows of the truth with a NULL or NaN rating; rated 1
--
-- needs: rating
-- shown: if any
SELECT COUNT(*) AS truth_unrated
FROM unrated_judgments
