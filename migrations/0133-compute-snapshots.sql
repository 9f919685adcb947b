-- Snapshots of the disks of compute sessions, which later sessions start from. A snapshot is a row here before its vendor
-- is asked for it, so the gateway finds and deletes every snapshot that it ordered, whatever dies in between.

create table compute_snapshots (
  id uuid primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  -- The key that made it: a key of scope "own" sees no other.
  key_id uuid,
  service text not null,
  session_id uuid not null,
  name text,
  -- The vendor's name for it. Null until the vendor has taken the order.
  reference text,
  ordered_ms bigint not null,
  -- Null until the vendor has finished it: before that the snapshot is not listed and starts no session.
  made_ms bigint,
  expires_ms bigint not null,
  -- Set when it was deleted, expired or failed. The row stays until the vendor has deleted it.
  ended_ms bigint,
  -- When the gateway next asks the vendor to delete it.
  tell_at_ms bigint not null default 0
);
create index compute_snapshots_of_account on compute_snapshots (account_id, mode, id) where ended_ms is null;
create index compute_snapshots_expiring on compute_snapshots (expires_ms) where ended_ms is null;
create index compute_snapshots_ended on compute_snapshots (tell_at_ms) where ended_ms is not null;
