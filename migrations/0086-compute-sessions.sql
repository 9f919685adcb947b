-- Compute sessions, metered while they are open. Money and state change in one commit: a session is open with a hold for
-- what it may use until `paid_until_ms`, or it is closed and has none.

create table compute_sessions (
  -- That of the call which opened it.
  id uuid primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  service text not null,
  wallet_id bigint not null,
  budget_id uuid,
  external_id text,
  -- Micro-dollars for an hour of the whole machine.
  rate_micros bigint not null check (rate_micros > 0),
  -- The most that the whole session may cost; null: what the account and the key allow.
  most_micros bigint,
  -- What the vendor calls it. Null while the vendor is making it.
  handle jsonb,
  opened_ms bigint not null,
  used_ms bigint not null,
  -- The hold that covers the time from `metered_from_ms` to `paid_until_ms`.
  hold_id uuid not null,
  metered_from_ms bigint not null,
  paid_until_ms bigint not null,
  charged_micros bigint not null default 0,
  closed_ms bigint,
  close_reason text,
  -- Whether the vendor has been told; asked again and again until it has.
  is_torn_down boolean not null default false
);
create index compute_sessions_open on compute_sessions (paid_until_ms) where closed_ms is null;
create index compute_sessions_closed on compute_sessions (closed_ms);
create index compute_sessions_standing on compute_sessions (closed_ms) where closed_ms is not null and not is_torn_down;
