-- How the people who hold accounts sign in to the pages: by a password, by passkeys, or by a provider that vouches for
-- them. An account has one holder, so all of it hangs on the account itself. What a browser could present is kept as
-- hashes alone.

create table account_passwords (
  account_id uuid primary key references accounts,
  -- scrypt, with its parameters and salt (src/people/password.ts).
  password_hash text not null,
  changed_at timestamptz not null
);

create table passkeys (
  credential_id text primary key,
  account_id uuid not null references accounts,
  public_key bytea not null,
  -- How often it was used, as it counts itself; those that are copied between devices stay at 0.
  counter bigint not null,
  transports text[] not null,
  label text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_account on passkeys (account_id, created_at);

-- Who somebody is at a provider (OpenID Connect).
create table account_identities (
  issuer text not null,
  subject text not null,
  account_id uuid not null references accounts,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index account_identities_by_account on account_identities (account_id);

-- Links that were sent to an address: whoever opens one reads the mail of that address, and may choose a password.
create table sign_in_links (
  token_hash bytea primary key,
  email text not null,
  -- Whether it makes an account where there is none for the address.
  makes_account boolean not null,
  expires_at timestamptz not null
);
create index sign_in_links_by_email on sign_in_links (lower(email));
create index sign_in_links_by_expiry on sign_in_links (expires_at);

-- Questions that a browser is to answer once: challenges of passkeys, and round trips to a provider.
create table sign_in_challenges (
  token_hash bytea primary key,
  purpose text not null,
  account_id uuid references accounts,
  -- Of a round trip what is needed when the browser comes back; nothing else has any.
  facts jsonb not null,
  expires_at timestamptz not null
);
create index sign_in_challenges_by_expiry on sign_in_challenges (expires_at);

-- A browser is signed in by a key's secret, or as the holder of an account.
alter table page_sessions
  alter column secret_hash drop not null,
  add column account_id uuid references accounts,
  add constraint page_sessions_one_holder check ((secret_hash is null) <> (account_id is null));
create index page_sessions_by_account on page_sessions (account_id, expires_at);
