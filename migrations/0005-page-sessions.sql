-- Who is signed in to the pages of the gateway (/balance). Only a SHA-256 of the cookie's token is kept.

create table page_sessions (
  token_hash bytea primary key,
  key_id uuid not null references keys,
  -- The key's secret as it was at sign-in: a rotation ends the sessions that the former secret opened.
  secret_hash bytea not null,
  expires_at timestamptz not null
);
create index page_sessions_by_expiry on page_sessions (expires_at);
