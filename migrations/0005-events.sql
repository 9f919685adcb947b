-- Events and their deliveries. src/events/README.md describes the states.

-- The percentages of a key's limit that make an event. Null: 50, 80 and 100.
alter table budgets add column alert_percents bigint[];
-- A balance below this amount makes an event. Null: one dollar.
alter table wallets add column low_balance_micros bigint check (low_balance_micros >= 0);
-- Receives the event of the job's end, also without a registered webhook.
alter table jobs add column webhook_url text;
-- Finds keys that expire, for their event.
create index budgets_expiring on budgets (expires_ms) where expires_ms is not null;
-- The latest credit of a wallet, for events that occur once per credit.
create index lots_of_wallet on lots (wallet_id, id desc);

-- The last sequence number of the events of an account. Its row is locked until the commit of an
-- event, so a reader that has seen a number has seen all lower ones.
create table event_streams (
  account_id uuid not null,
  mode wallet_mode not null,
  last_sequence bigint not null default 0,
  primary key (account_id, mode)
) with (fillfactor = 40);

-- Written in the commit of the cause (src/events/sql).
create table events (
  id uuid primary key,
  account_id uuid not null,
  mode wallet_mode not null,
  sequence bigint not null,
  -- The key that caused it. Null: the account as a whole.
  key_id uuid,
  type text not null,
  data jsonb not null,
  -- An event with the same value is not written again.
  once_key text,
  created_ms bigint not null,
  unique (account_id, mode, sequence)
);
create unique index events_once on events (account_id, once_key) where once_key is not null;
create index events_of_key on events (key_id, sequence) where key_id is not null;

create table webhooks (
  id uuid primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  -- The key that created it; with `own_only` it receives the events of this key only.
  key_id uuid,
  own_only boolean not null,
  -- A web address; for the format "email", null: the address of the account.
  url text,
  format text not null check (format in ('json', 'slack', 'email')),
  -- Types such as "job.failed", or patterns such as "job.*" and "*".
  events text[] not null,
  label text,
  signature text not null check (signature in ('v1', 'v1a')),
  -- Sealed (src/events/secrets.ts). After a rotation, deliveries have both signatures until
  -- former_until_ms.
  secret bytea not null,
  former_secret bytea,
  former_until_ms bigint,
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_because text check (disabled_because in ('asked', 'gone', 'failing', 'closed')),
  -- The first failure since the last success.
  failing_since_ms bigint,
  created_ms bigint not null,
  constraint webhooks_have_an_address check ((url is null) = (format = 'email')),
  constraint webhooks_disabled_for_a_reason
    check ((status = 'disabled') = (disabled_because is not null))
);
create index webhooks_of_account on webhooks (account_id, mode, id desc);

-- One row per event and receiver. `waiting`: due at next_ms. A worker claims it until
-- lease_until_ms; then another one takes it.
create table deliveries (
  id uuid primary key,
  event_id uuid not null references events on delete cascade,
  account_id uuid not null,
  mode wallet_mode not null,
  key_id uuid,
  -- Null: `url` is the webhook_url of a job.
  webhook_id uuid references webhooks on delete cascade,
  url text,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  -- Failed tries since the delivery began or was repeated.
  tries integer not null default 0,
  next_ms bigint not null default 0,
  worker uuid,
  lease_until_ms bigint not null default 0,
  -- The last tries: [{"at_ms", "took_ms", "status", "note"}].
  attempts jsonb not null default '[]',
  ended_ms bigint,
  created_ms bigint not null,
  constraint deliveries_have_a_receiver check ((webhook_id is null) = (url is not null)),
  unique (event_id, webhook_id)
);
create index deliveries_due on deliveries (next_ms) where status = 'waiting';
create index deliveries_of_account on deliveries (account_id, mode, id desc);
create index deliveries_of_webhook on deliveries (webhook_id, id desc);
create index deliveries_of_job on deliveries (event_id) where webhook_id is null;
