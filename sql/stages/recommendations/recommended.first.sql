-- recommended: the recommendations that can matter, each item of a list once: what follows a repeated one moves up.
--
-- when: duplicates = first
SELECT list_id, item, rank
FROM moved_up
WHERE rank <= $deepest
