-- The operator's price terms of a job (PRICES_FILE) when it was submitted: a later price does not
-- apply to it. Null for the price of the record.
alter table jobs add column price_terms jsonb;
