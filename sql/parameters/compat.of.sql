-- of: the value that the sum over the depths is divided by.
SELECT
  own_agreements AS ideal, -- that of the ideal list with itself, so that every ideal list has the value 1
  patience_to_depth AS identical -- that of two lists that have the same items at every depth (rank-biased overlap as it is)
FROM metrics
