-- When the holder last replaced the secret. Links that the key made before end with the former secret.
alter table keys add column rotated_ms bigint;

create index accounts_paused on accounts (id) where paused_at is not null;

-- In-house repositories. The row exists before the folder, so that the limit of an account is exact.
create table repositories (
  repo_id text primary key,
  account_id uuid not null,
  created_ms bigint not null,
  -- The key that made the present clone URL, and when. A renewal raises the version, which is part of the token.
  key_id uuid,
  url_ms bigint not null,
  version integer not null default 0,
  -- The push in progress, and when another one may take over because its process has died.
  pusher uuid,
  pushes_until_ms bigint not null default 0
);
create index repositories_by_account on repositories (account_id);
insert into repositories (repo_id, account_id, created_ms, key_id, url_ms)
  select reference, account_id, made_ms, key_id, made_ms from vendor_references
  where service = 'gitstore' and not is_test and lasts and reference ~ '^repo_[0-9a-f]{32}$';

-- Names of in-house repositories are unique in their account only.
insert into vendor_references (service, is_test, reference, account_id, made_ms, lasts, key_id)
  select service, is_test, replace(account_id::text, '-', '') || '/' || reference, account_id, made_ms, lasts, key_id
  from vendor_references where service = 'gitstore/names' and not is_test and lasts
    and account_id in (select account_id from repositories)
  on conflict do nothing;
