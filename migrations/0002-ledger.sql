-- The ledger: double entry in micro-dollars, append-only. src/ledger/README.md states the invariants.
--
-- A transaction is a posted transfer between a wallet and one of the house's books. House books are not stored as
-- rows with a running balance (every customer would queue for them); they are the sum of their transfers.

-- The rules for single words are domains: PostgreSQL reads the checks of a table anew in every statement that writes to
-- it, and every flush writes to these.
create domain wallet_mode as text check (value in ('live', 'test'));
create domain budget_state as text check (value in ('open', 'paused', 'closed'));
create domain budget_period as text check (value in ('day', 'week', 'month'));
create domain ceiling as bigint check (value >= 0);

create table wallets (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  balance_micros bigint not null default 0,
  held_micros bigint not null default 0,
  -- All that calls ever took; lots (below) are used up by it, oldest expiry first.
  spent_micros bigint not null default 0,
  -- How many transactions were posted to this wallet: the last one's sequence.
  posted bigint not null default 0,
  next_expiry_at timestamptz,
  -- The hard cap: what is held is always there to be taken.
  constraint wallets_cover_holds check (held_micros between 0 and balance_micros),
  unique (account_id, mode)
) with (fillfactor = 40);

-- The spend ceiling of a key is a second account, debited in the same step as the wallet. All three windows are
-- kept for every key, so a change of period needs no recount. Windows are named by the day they began, counted
-- from 1970-01-01 (UTC); they roll forward on first use and never back.
create table budgets (
  id uuid primary key,
  state budget_state not null default 'open',
  ceiling_micros ceiling,
  period budget_period not null default 'month',
  day_start integer not null default 0,
  day_spent bigint not null default 0,
  day_held bigint not null default 0,
  week_start integer not null default 0,
  week_spent bigint not null default 0,
  week_held bigint not null default 0,
  month_start integer not null default 0,
  month_spent bigint not null default 0,
  month_held bigint not null default 0,
  last_used_ms bigint,
  constraint budgets_held_not_negative check (least(day_held, week_held, month_held) >= 0)
) with (fillfactor = 40);

-- Pending entries only: a row is taken away by the one transaction that resolves it.
create table holds (
  id uuid primary key,
  wallet_id bigint not null,
  budget_id uuid,
  amount_micros bigint not null check (amount_micros > 0),
  -- The day (UTC) in which it was opened: it belongs to the windows of that day.
  day integer not null,
  deadline_ms bigint not null,
  kind text not null,
  service text not null,
  action text not null,
  external_id text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000, autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);

-- Posted facts. A row is inserted once and never changed. The id is a UUID version 7, so its order is the order of
-- time and partitions are ranges of ids, a month each. A call's id, its request id and its transaction id share digits.
create table transactions (
  id uuid not null,
  wallet_id bigint not null,
  sequence bigint not null,
  budget_id uuid,
  -- The day (UTC, counted from 1970-01-01) whose windows it counts in.
  day integer not null,
  kind text not null,
  status text not null,
  held_micros bigint not null,
  -- What the wallet's balance moved by: below zero for a charge. The counter book moves by the opposite.
  amount_micros bigint not null,
  balance_after_micros bigint not null,
  book text not null,
  latency_ms integer,
  service text,
  action text,
  external_id text,
  job_id uuid,
  error_code text,
  hops json,
  primary key (wallet_id, id),
  -- Only calls hold. They are charged at most what was held, and nothing when they failed.
  constraint charged_within_the_hold check (held_micros = 0 or amount_micros between case status when 'settled' then -held_micros else 0 end and 0)
) partition by range (id);
create table transactions_default partition of transactions default;

-- Both sides of every transfer. They sum to zero.
create view entries as
  select id as transaction_id, 'wallet:' || wallet_id as book, amount_micros from transactions
  union all
  select id, book, -amount_micros from transactions;

-- Credit as it came in. Granted lots may expire and are spent first, the earliest expiry first; bought ones never do.
-- `remaining_micros` is exact as of the wallet's `lots_counted_micros`; the ledger counts on when a lot is added or expires.
create table lots (
  id uuid primary key,
  wallet_id bigint not null references wallets,
  source text not null check (source in ('grant', 'topup', 'refund', 'adjustment')),
  amount_micros bigint not null check (amount_micros > 0),
  remaining_micros bigint not null check (remaining_micros between 0 and amount_micros),
  expires_at timestamptz,
  -- Its time came; what remains is what open holds would use of it, and stays.
  expired boolean not null default false,
  created_at timestamptz not null
);
create index lots_open on lots (wallet_id) where remaining_micros > 0;
-- The order in which spending uses lots up. What an expired lot kept for open holds comes first by its own date.
create view open_lots as
  select *, row_number() over (partition by wallet_id order by source <> 'grant', expires_at nulls last, id) as place
  from lots where remaining_micros > 0;
alter table wallets add column lots_counted_micros bigint not null default 0;

-- Answers kept for replay (Idempotency-Key). A row without a status is a call that is still running.
create table answers (
  account_id uuid not null,
  route text not null,
  idempotency_key text not null,
  call_id uuid not null unique,
  fingerprint bytea not null,
  status smallint,
  body text,
  expires_ms bigint not null,
  primary key (account_id, route, idempotency_key)
);
create index answers_by_expiry on answers (expires_ms);

-- One partition a month. Called ahead of time; rows without a partition of their own land in the default one.
create function make_transaction_partition(month date) returns void language plpgsql as $$
declare
  first_of_month date := date_trunc('month', month);
  name text := 'transactions_' || to_char(month, 'YYYY_MM');
  -- 48 bits of milliseconds, then zeros: the least version 7 id of that moment.
  lower_id uuid := (lpad(to_hex((extract(epoch from first_of_month::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
  upper_id uuid := (lpad(to_hex((extract(epoch from (first_of_month + interval '1 month')::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
begin
  if to_regclass(name) is null and not exists (select from transactions_default where id >= lower_id and id < upper_id) then
    execute format('create table if not exists %I partition of transactions for values from (%L) to (%L)', name, lower_id, upper_id);
  end if;
end $$;
