-- mode: where the other rows of test users go, which are not held out.
SELECT
  'history' AS separated, -- into the history only: the model is fitted on the other users
  'train' AS joined, -- into train as well
  'train' AS "all" -- into train: every user is tested
