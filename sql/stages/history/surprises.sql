-- surprises: the recommendations with how many users know each item, and how many users there are.
SELECT familiarity.list_id, familiarity.rank, familiarity.n_users, population.n_all
FROM familiarity
LEFT JOIN population ON familiarity.fold_id = population.fold_id
