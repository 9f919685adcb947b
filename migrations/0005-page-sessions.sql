-- Who is signed in to the pages of the gateway (/balance). Only SHA-256 hashes are kept: of the cookie's token, and of
-- the key's secret that opened the session, so that the session ends when that secret does.

create table page_sessions (
  token_hash bytea primary key,
  secret_hash bytea not null,
  expires_at timestamptz not null
);
create index page_sessions_by_expiry on page_sessions (expires_at);
