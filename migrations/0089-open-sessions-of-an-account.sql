-- How many sessions an account has open is counted whenever it opens another one.

create index compute_sessions_of_account on compute_sessions (account_id, mode) where closed_ms is null;
