-- rows: every row with its subset: train, test, history (known of a test user, and not in train), or NULL for neither.
SELECT *, subset
FROM assigned
