-- The audit log: every change of a key, limit, price, account or way to sign in. The triggers of
-- src/audit/sql write it in the transaction of the change.

create table changes (
  id bigint generated always as identity primary key,
  changed_at timestamptz not null default now(),
  -- Null for changes that concern no account, such as prices.
  account_id uuid,
  -- Such as "key agk_…", "holder", "operator root" or "gateway".
  author text not null,
  -- A network address or "command line". Null for the gateway itself.
  origin text,
  request_id text,
  subject text not null,
  subject_id text not null,
  what text not null check (what in ('created', 'changed', 'deleted')),
  -- Each changed field with its value before and after. Secrets have the value "hidden".
  fields jsonb not null
);
create index changes_by_account on changes (account_id, id desc);
create index changes_by_age on changes (changed_at);

-- The prices of the last start, to record changes of prices.
create table known_prices (
  action text primary key,
  price jsonb not null
);
