-- The id of the price rule that applied to a call. A compute session stores it for its further holds.
alter table transactions add column price_id text;
alter table compute_sessions add column price_id text;
