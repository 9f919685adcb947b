create table compute_snapshots (
  id uuid primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  key_id uuid,
  service text not null,
  session_id uuid not null,
  name text,
  reference text,
  ordered_ms bigint not null,
  made_ms bigint,
  expires_ms bigint not null,
  ended_ms bigint,
  tell_at_ms bigint not null default 0
);
create index compute_snapshots_of_account on compute_snapshots (account_id, mode, id) where ended_ms is null;
create index compute_snapshots_expiring on compute_snapshots (expires_ms) where ended_ms is null;
create index compute_snapshots_ended on compute_snapshots (tell_at_ms) where ended_ms is not null;
