-- The operator console (src/operate).

-- Its holder sees the pages below /operate. The owner account is an operator from the start.
alter table accounts add column is_operator boolean not null default false;
-- Its keys and sessions do not work until the operator ends the pause.
alter table accounts add column paused_at timestamptz;
update accounts set is_operator = true where is_owner;
create index accounts_operators on accounts (id) where is_operator;

-- Why an operator made the change.
alter table changes add column reason text;
create index changes_of_operators on changes (id desc) where author like 'operator %';
create index changes_of_backups on changes (id desc) where subject = 'backup';

-- Totals of all transactions, which a chore counts shortly after they are posted, so that calls pay
-- nothing for them. src/operate/totals counts each transaction exactly once.

create table counted_wallets (
  wallet_id bigint primary key references wallets,
  -- Transactions up to this sequence are in the totals.
  sequence bigint not null,
  -- The newest id among them. Later transactions rarely have much older ids.
  newest_id uuid not null
);

-- One row, which the chore writes. Until a pass has counted everything, the overview reports it.
create table counting_progress (
  is_only boolean primary key default true check (is_only),
  is_behind boolean not null
);
insert into counting_progress (is_behind) select exists (select from wallets where posted > 0);

-- Days are counted from 1970-01-01 (UTC), as in transactions. The amount is the change of the balances:
-- negative for charges.
create table wallet_days (
  day integer not null,
  wallet_id bigint not null,
  kind text not null,
  transactions bigint not null,
  failed bigint not null,
  amount_micros bigint not null,
  primary key (day, wallet_id, kind)
);
create index wallet_days_of_wallet on wallet_days (wallet_id, day);

create table service_days (
  day integer not null,
  mode wallet_mode not null,
  -- Empty for credit.
  service text not null,
  kind text not null,
  transactions bigint not null,
  failed bigint not null,
  amount_micros bigint not null,
  primary key (day, mode, service, kind)
);

-- Ended calls by the hour in which they began. Deleted after a month.
create table hour_totals (
  -- Counted from 1970-01-01 (UTC).
  hour integer not null,
  mode wallet_mode not null,
  service text not null,
  -- Empty for charged calls.
  error_code text not null,
  -- Half octaves of the latency in milliseconds: 2 × log2. -1 for failed calls.
  latency_step smallint not null,
  calls bigint not null,
  primary key (hour, mode, service, error_code, latency_step)
);

-- The last test of each vendor key, by any process.
create table vendor_key_tests (
  service text primary key,
  verdict text not null,
  -- The vendor's HTTP status, if it answered.
  status integer,
  took_ms integer not null,
  tested_ms bigint not null,
  -- Since when the tests have had this verdict.
  since_ms bigint not null
);

-- Keys that replace those of the settings, sealed with a key that is not in the database
-- (docs/decisions/0169-replaced-vendor-keys.md).
create table vendor_keys (
  service text not null,
  credential text not null,
  sealed bytea not null,
  -- A digest of the setting that it replaces. It applies only as long as the setting is the same.
  replaces bytea not null,
  primary key (service, credential)
);

create index payments_resolved_by_day on payments (day) where status in ('paid', 'resolved');
create index webhooks_failing on webhooks (id) where status = 'disabled' and disabled_because in ('gone', 'failing');
create index jobs_failed on jobs (finished_ms desc) where status = 'failed';
create index deliveries_failed on deliveries (id desc) where status = 'failed';
create index card_payments_by_time on card_payments (credited_at desc);
