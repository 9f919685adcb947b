-- Sign-in of hosted MCP clients (src/auth/oauth). A grant is a child key whose secret is an access
-- token.
alter table keys
  -- The OAuth client to which the key was granted: the URL of its metadata, or its registration.
  add column client_id text,
  -- The only resource at which the key works (RFC 8707). Null: all keys that are no access tokens.
  add column audience text,
  -- When the secret stops working; null: with the key.
  add column secret_until timestamptz;

-- Clients that registered themselves (RFC 7591).
create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  -- Whether an account holder has approved the client. Others expire within a day.
  is_approved boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index oauth_clients_by_expiry on oauth_clients (expires_at);
create index oauth_clients_unapproved on oauth_clients (created_at) where not is_approved;

-- Authorization codes. Used ones stay until a replay could no longer matter.
create table oauth_codes (
  code_hash bytea primary key,
  account_id uuid not null references accounts,
  -- The consent: client, redirect URI, PKCE challenge, limits.
  facts jsonb not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  replayed_at timestamptz,
  -- The key that the code issued.
  key_id uuid references keys
);
create index oauth_codes_by_expiry on oauth_codes (expires_at);

-- The refresh token of a grant. A token consists of a family, which never changes, and a part that
-- changes with each use, so that any earlier token of the family is recognized.
create table oauth_grants (
  key_id uuid primary key references keys,
  account_id uuid not null references accounts,
  scope text not null,
  family_hash bytea not null unique,
  refresh_hash bytea not null
);
create index oauth_grants_by_account on oauth_grants (account_id);
