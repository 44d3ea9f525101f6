-- policy_lists: one row per list for which a policy may show an item.
SELECT DISTINCT list_id
FROM policy
