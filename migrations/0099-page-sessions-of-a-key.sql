-- A key has so many sign-ins at once and no more: those that are too many are found by its secret.
create index page_sessions_by_secret on page_sessions (secret_hash, expires_at);
