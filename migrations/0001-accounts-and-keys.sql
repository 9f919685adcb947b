-- Who may call: accounts and their keys. Only a SHA-256 of a key's secret is kept.

create table accounts (
  id uuid primary key,
  email text not null,
  tier text not null check (tier in ('personal', 'business')),
  -- The operator's own account, made at the first start.
  is_owner boolean not null default false,
  created_at timestamptz not null
);
create unique index accounts_email on accounts (lower(email));
-- Of several processes that start at once on an empty database, one makes the owner.
create unique index accounts_one_owner on accounts (is_owner) where is_owner;

-- What a key may spend lives in the ledger's budgets table, under the same id.
create table keys (
  id uuid primary key,
  account_id uuid not null references accounts,
  mode text not null check (mode in ('live', 'test')),
  is_primary boolean not null,
  label text,
  external_id text,
  key_prefix text not null,
  secret_hash bytea not null unique,
  -- After a rotation with a grace period the former secret still works until this moment.
  former_secret_hash bytea unique,
  former_secret_until timestamptz,
  created_at timestamptz not null
);
create index keys_by_account on keys (account_id, id desc);
create unique index keys_one_primary on keys (account_id, mode) where is_primary;
