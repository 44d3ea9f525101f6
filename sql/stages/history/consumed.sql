-- consumed: what each list's owner knew before, each item once.
SELECT DISTINCT history_id, item
FROM history
WHERE history_id IS NOT NULL AND item IS NOT NULL
