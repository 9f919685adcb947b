-- The tables of version 0.1.0. Functions, views and triggers are not here: they are in the sql
-- folders next to the code that calls them, such as src/ledger/sql.

-- Domains for single-column rules. PostgreSQL reads the check constraints of a table again in every
-- statement that writes to it, and each flush of the ledger writes to these tables.
create domain wallet_mode as text check (value in ('live', 'test'));
create domain budget_state as text check (value in ('open', 'paused', 'closed'));
create domain budget_period as text check (value in ('day', 'week', 'month'));
create domain ceiling as bigint check (value >= 0);
create domain job_status as text check (value in ('queued', 'running', 'succeeded', 'failed'));

-- Accounts and keys

create table accounts (
  id uuid primary key,
  email text not null,
  tier text not null check (tier in ('personal', 'business')),
  -- The operator's own account, created at the first start.
  is_owner boolean not null default false,
  created_at timestamptz not null,
  -- The account of callers who pay per call and have no account. An email address could be claimed
  -- by a person, so this column identifies it.
  is_house boolean not null default false
);
create unique index accounts_email on accounts (lower(email));
-- Only one of several processes that start on an empty database creates the owner.
create unique index accounts_one_owner on accounts (is_owner) where is_owner;
create unique index accounts_one_house on accounts (is_house) where is_house;

-- Only the SHA-256 of a key's secret is stored. Its spend limit is the budget with the same id.
create table keys (
  id uuid primary key,
  account_id uuid not null references accounts,
  mode text not null check (mode in ('live', 'test')),
  is_primary boolean not null,
  label text,
  external_id text,
  key_prefix text not null,
  secret_hash bytea not null unique,
  -- After a rotation with a grace period, the previous secret works until this time.
  former_secret_hash bytea unique,
  former_secret_until timestamptz,
  created_at timestamptz not null,
  -- 'own': the key sees only what it created. Primary keys manage the account, so they see all of
  -- it.
  scope text not null default 'account' check (scope in ('own', 'account')),
  constraint keys_primary_scope check (scope = 'account' or not is_primary)
);
create index keys_by_account on keys (account_id, id desc);
create unique index keys_one_primary on keys (account_id, mode) where is_primary;

-- Sign-in. Only hashes of the secrets that a browser presents are stored.

create table account_passwords (
  account_id uuid primary key references accounts,
  -- scrypt, with its parameters and salt (src/auth/password.ts).
  password_hash text not null,
  changed_at timestamptz not null
);

create table passkeys (
  credential_id text primary key,
  account_id uuid not null references accounts,
  public_key bytea not null,
  -- The authenticator's own use counter. Passkeys that are synced between devices report 0.
  counter bigint not null,
  transports text[] not null,
  label text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_account on passkeys (account_id, created_at);

-- Identities at OpenID Connect providers.
create table account_identities (
  issuer text not null,
  subject text not null,
  account_id uuid not null references accounts,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index account_identities_by_account on account_identities (account_id);

-- Links sent by email. Opening one proves access to the address and allows choosing a password.
create table sign_in_links (
  token_hash bytea primary key,
  email text not null,
  -- Whether the link creates an account if the address has none.
  makes_account boolean not null,
  expires_at timestamptz not null,
  -- The page that the visitor requested before signing in. Empty: the default page.
  next text not null default ''
);
create index sign_in_links_by_email on sign_in_links (lower(email));
create index sign_in_links_by_expiry on sign_in_links (expires_at);

-- One-time challenges: passkey ceremonies and round trips to a provider.
create table sign_in_challenges (
  token_hash bytea primary key,
  purpose text not null,
  account_id uuid references accounts,
  -- State of a provider round trip, read when the browser returns. Empty for other purposes.
  facts jsonb not null,
  expires_at timestamptz not null
);
create index sign_in_challenges_by_expiry on sign_in_challenges (expires_at);

-- Browser sessions, opened with a key's secret or by the account's holder.
create table page_sessions (
  token_hash bytea primary key,
  -- The session ends when the key's secret does.
  secret_hash bytea,
  expires_at timestamptz not null,
  account_id uuid references accounts,
  constraint page_sessions_one_holder check ((secret_hash is null) <> (account_id is null))
);
create index page_sessions_by_expiry on page_sessions (expires_at);
-- The number of concurrent sessions of a key is limited.
create index page_sessions_by_secret on page_sessions (secret_hash, expires_at);
create index page_sessions_by_account on page_sessions (account_id, expires_at);

-- Accounts that received welcome credit on the last day (UTC, counted from 1970-01-01) with any. A
-- single row, so that processes that grant credit wait for each other.
create table welcome_credits (
  is_only boolean primary key default true check (is_only),
  day integer not null,
  given integer not null
);
insert into welcome_credits (day, given) values (0, 0);

-- Ledger: double entry in micro-dollars, append-only. src/ledger/README.md lists the invariants.
--
-- A transaction is a posted transfer between a wallet and one of the house's books. House books
-- have no row with a running balance, because every customer would queue for it. Their balance is
-- the sum of their transfers.

create table wallets (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  balance_micros bigint not null default 0,
  held_micros bigint not null default 0,
  -- Total charges so far. Lots (below) are used up by it, earliest expiry first.
  spent_micros bigint not null default 0,
  -- Number of posted transactions, which is the sequence of the last one.
  posted bigint not null default 0,
  next_expiry_at timestamptz,
  -- The value of spent_micros that remaining_micros of the lots includes.
  lots_counted_micros bigint not null default 0,
  -- The hard cap: every hold is covered by the balance.
  constraint wallets_cover_holds check (held_micros between 0 and balance_micros),
  unique (account_id, mode)
) with (fillfactor = 40);

-- The spend limit of a key, debited in the same step as the wallet. Every budget stores all three
-- windows, so a change of period needs no recount. A window is identified by its first day, counted
-- from 1970-01-01 (UTC). It advances on first use and never goes back.
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

-- Pending calls only. The transaction that resolves a hold deletes its row.
create table holds (
  id uuid primary key,
  wallet_id bigint not null,
  budget_id uuid,
  amount_micros bigint not null check (amount_micros > 0),
  -- The day (UTC) on which the hold was opened. It counts in the windows of that day.
  day integer not null,
  deadline_ms bigint not null,
  kind text not null,
  -- Descriptive fields of the call, which become columns of its transaction
  -- (src/ledger/sql/call_attributes.sql).
  attributes jsonb not null
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 50000,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000000
);

-- Posted transfers. A row is inserted once; its amounts never change. The id is a version 7 UUID,
-- so ids sort by time and each partition is the range of ids of one month. The ids of a call, its
-- request and its transaction have the same digits.
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
  -- The change of the wallet's balance: negative for a charge. The book changes by the opposite.
  amount_micros bigint not null,
  balance_after_micros bigint not null,
  book text not null,
  latency_ms integer,
  service text,
  action text,
  external_id text,
  error_code text,
  hops json,
  primary key (wallet_id, id),
  -- Only calls hold credit. A call is charged at most its hold, and a failed call nothing.
  constraint charged_within_the_hold check (
    held_micros = 0
    or amount_micros between case status when 'settled' then -held_micros else 0 end and 0
  )
) partition by range (id);
create table transactions_default partition of transactions default;
-- A wallet's history is read along the primary key, newest first. These indexes serve filters that
-- match few rows. They contain no ordinary settled call, so a call pays nothing for them.
create index transactions_released on transactions (wallet_id, id) where status = 'released';
create index transactions_by_rare_kind on transactions (wallet_id, kind, id)
  where kind <> 'call' and kind <> 'llm';

-- Received credit. Granted lots can expire and are spent first, earliest expiry first. Bought lots
-- never expire. remaining_micros is exact as of the wallet's lots_counted_micros. The ledger
-- recounts when a lot is added or expires.
create table lots (
  id uuid primary key,
  wallet_id bigint not null references wallets,
  source text not null check (source in ('grant', 'topup', 'refund', 'adjustment')),
  amount_micros bigint not null check (amount_micros > 0),
  remaining_micros bigint not null check (remaining_micros between 0 and amount_micros),
  expires_at timestamptz,
  -- The expiry has passed. The remainder covers holds that were open then, and never expires.
  expired boolean not null default false,
  created_at timestamptz not null
);
create index lots_open on lots (wallet_id) where remaining_micros > 0;

-- Daily LLM spend of each wallet, limited in addition to its balance and the budgets of its keys.
create table inference_days (
  wallet_id bigint primary key references wallets,
  -- Counted from 1970-01-01 (UTC). Advances on first use and never goes back.
  day integer not null,
  -- Charges and open holds of the calls that began on that day.
  used_micros bigint not null default 0,
  cap_micros bigint not null default 10000000 check (cap_micros >= 0)
) with (fillfactor = 40);

-- Responses stored for replay (Idempotency-Key). A row without a status is a running call.
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

-- Jobs: paid work that outlives the call that started it. src/jobs/README.md describes the states.

create table jobs (
  -- Also the id of the job's hold and transaction.
  id uuid primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  wallet_id bigint not null references wallets,
  budget_id uuid,
  service text not null,
  action text not null,
  input json not null,
  -- The amount of the hold, which limits the total cost of the job's steps.
  budget_micros bigint not null check (budget_micros > 0),
  -- The number of concurrent deep jobs of an account is limited.
  is_deep boolean not null,
  status job_status not null default 'queued',
  -- The process that works on the job, and the end of its exclusive lease. After that another
  -- process takes the job.
  worker uuid,
  lease_until_ms bigint,
  attempt integer not null default 0,
  is_cancelled boolean not null default false,
  progress json,
  -- The vendor's id, if a vendor does the job.
  vendor_reference text,
  spent_micros bigint not null default 0,
  created_ms bigint not null,
  started_ms bigint,
  deadline_ms bigint not null,
  finished_ms bigint,
  charged_micros bigint not null default 0,
  result json,
  error_code text,
  error_message text,
  -- More fields of a failed job's error: {"fix"?, "param"?, "details"?}.
  error_facts json,
  constraint jobs_end_once check ((status in ('succeeded', 'failed')) = (finished_ms is not null))
);
-- The queue of the workers, oldest first.
create index jobs_open on jobs (id) where status in ('queued', 'running');
-- The concurrent deep jobs of an account.
create index jobs_deep_open on jobs (wallet_id) where is_deep and status in ('queued', 'running');
create index jobs_by_end on jobs (finished_ms) where finished_ms is not null;

-- Results of a job's steps, so that a resumed job repeats no completed step. A row without an
-- invocation was begun, and may or may not have been carried out. Deleted when the job ends.
create table job_steps (
  job_id uuid not null references jobs on delete cascade,
  -- A digest of service, action and input.
  name bytea not null,
  -- Sent to the vendor, so that it carries out a repeated request only once.
  idempotency_key uuid not null,
  invocation json,
  -- How often the gateway repeated an interrupted step at its own expense. Limits the cost of a job
  -- that kills its workers.
  repeats integer not null default 0,
  primary key (job_id, name)
);

-- Vendors

-- Rate limits of vendors, shared by all processes. One row per vendor stores the permits in use.
-- Taking permits locks the row, so no permit is taken twice. A permit counts until its last
-- possible use plus the vendor's window. No interval of that length has more requests than the
-- limit.
create table vendor_turns (
  label text primary key,
  -- Permits under the rate limit: the end of each lot, and its number of permits.
  rate_until_ms bigint[] not null default '{}',
  rate_count integer[] not null default '{}',
  -- Requests in progress. Each counts until it is returned, or until its deadline.
  busy_until_ms bigint[] not null default '{}',
  -- Days since 1970-01-01 (UTC).
  day integer not null default 0,
  day_taken integer not null default 0,
  -- The vendor requested a pause until then.
  paused_until_ms bigint not null default 0
) with (fillfactor = 50);

-- Processes that wait for a vendor, or waited recently. If there are too few permits for all, the
-- process with the oldest turn is first. Turns are counted per vendor; a new process has none.
create table vendor_takers (
  label text not null,
  process text not null,
  waits_until_ms bigint not null,
  last_turn bigint not null,
  primary key (label, process)
);

-- Models and prices of each upstream, as last fetched. A gateway that starts while an upstream is
-- down has the prices, and several processes fetch them once.
create table model_lists (
  -- Base address of the upstream.
  address text primary key,
  fetched_ms bigint not null,
  models jsonb not null
);

-- Resources that accounts created at vendors, such as a search, a crawl or a report. The vendor
-- sees only the operator's key, so this table decides which account can read a resource.
create table vendor_references (
  service text not null,
  -- Simulated vendors return the same names again, so the account is part of the key.
  is_test boolean not null,
  reference text not null,
  account_id uuid not null,
  made_ms bigint not null,
  -- An inbox or a repository is bought once and stays with its account. Others are deleted after
  -- three months.
  lasts boolean not null default false,
  -- The key that created it. Keys of scope 'own' do not see rows without a key.
  key_id uuid
);
-- Simulated vendors, and some real ones, return the same name to several keys of an account.
create unique index vendor_references_once
  on vendor_references (service, is_test, reference, account_id, key_id) nulls not distinct;
create index vendor_references_by_account on vendor_references (account_id, service, made_ms desc);
create index vendor_references_by_age on vendor_references (made_ms) where not lasts;
-- A lasting resource has one owner, even if two accounts receive its name at the same time.
create unique index vendor_references_one_owner on vendor_references (service, reference)
  where lasts and not is_test;

-- Recent success of each page reader on a host, shared by all processes. The next page of the host
-- starts with the better reader. Losing a row costs one detour.
create table page_yields (
  host text not null,
  provider text not null,
  -- A running average from 0 (blocked) to 1 (whole pages).
  yield real not null,
  updated_ms bigint not null,
  primary key (host, provider)
);

-- The state of core/consult between the turns of a conversation: a few sentences and the call in
-- question. Deleted one day after the last turn.
create table consult_conversations (
  id uuid primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  state json not null,
  used_ms bigint not null,
  -- The key that created it.
  key_id uuid
);
create index consult_conversations_by_use on consult_conversations (used_ms);

-- Payments to merchants

-- Payments from the operator's wallets. The row is written before anything is signed, so a lost
-- connection or a dead process leaves no unrecorded payment. A signed payment becomes 'paid', with
-- its receipt, or 'unknown', for the operator to resolve.
create table payments (
  id uuid primary key,
  -- The call that needs the payment. A call to a multi-source action can pay several times.
  call_id uuid not null,
  account_id uuid not null,
  service text not null,
  action text not null,
  method text not null,
  -- The merchant's host, and the merchant's id of the challenge.
  merchant text not null,
  challenge_id text not null,
  currency text not null,
  chain_id bigint,
  recipient text,
  amount_micros bigint not null check (amount_micros >= 0),
  -- The day (UTC, counted from 1970-01-01) whose limit it counts in.
  day integer not null,
  -- 'intended': nothing was sent. 'signed': it may have been sent. 'unsigned': it was never sent,
  -- and its amount is available again.
  status text not null
    check (status in ('intended', 'signed', 'unsigned', 'paid', 'unknown', 'resolved')),
  -- SHA-256 of the signed credential.
  credential_hash text,
  reference text,
  receipt json,
  reason text,
  -- The operator's decision: 'paid', or 'unpaid', which makes the amount available again.
  resolution text check (resolution in ('paid', 'unpaid')),
  note text,
  created_ms bigint not null,
  -- After it, an unfinished payment is shown to the operator.
  deadline_ms bigint not null,
  finished_ms bigint,
  -- The wallet that was charged when the payment was signed. Null for catalog merchants, whose
  -- calls are settled later.
  charged_wallet bigint,
  -- The charged call has claimed an idempotency key, and its response is not stored yet.
  awaits_answer boolean not null default false,
  -- Merchants that callers choose have a daily limit of their own.
  chosen_by_caller boolean not null default false,
  mode wallet_mode not null default 'live',
  -- A merchant can issue the same challenge twice; it is paid once.
  unique (merchant, challenge_id),
  constraint charged_once_signed
    check (charged_wallet is null or status in ('signed', 'paid', 'unknown', 'resolved'))
);
create index payments_underway on payments (deadline_ms) where status in ('intended', 'signed');
create index payments_queue on payments (id) where status = 'unknown';
create index payments_by_call on payments (call_id);
-- The unresolved payments of an account are limited, because a caller could be the merchant.
create index payments_open on payments (account_id)
  where status in ('intended', 'signed', 'unknown');
create index payments_awaiting_answer on payments (deadline_ms) where awaits_answer;

-- Daily outflow of the operator's wallets, including reserved amounts and unknown outcomes.
-- Reserving an amount locks the row, so the limit holds for any number of processes.
create table payment_days (
  day integer not null,
  outflow_micros bigint not null check (outflow_micros >= 0),
  -- The part that went to merchants of the callers' choice.
  chosen_micros bigint not null default 0,
  mode wallet_mode not null default 'live',
  primary key (mode, day),
  constraint chosen_within_outflow check (chosen_micros between 0 and outflow_micros)
);

-- Payments from callers

-- Calls bought without an account, each with its own payment. The row is written before the payment
-- is taken, under the payment's unique key, so a payment buys once. The money becomes credit of the
-- house account, which is charged for the call like any other account.
create table sales (
  payment_key text primary key,
  -- The transaction of the credit.
  id uuid not null unique,
  route text not null,
  -- SHA-256 of the request's body: the payment is valid for this request only.
  fingerprint text not null,
  method text not null,
  amount_micros bigint not null check (amount_micros > 0),
  -- 'settling': in progress. 'settled': taken and credited. 'unknown': it may have been taken.
  status text not null check (status in ('settling', 'settled', 'unknown')),
  reference text,
  receipt_headers json,
  reason text,
  created_ms bigint not null
);
create index sales_underway on sales (created_ms) where status = 'settling';
create index sales_unknown on sales (id) where status = 'unknown';

-- Card payments that became credit. The card processor repeats a notification until it is
-- confirmed, so each payment has one row.
create table card_payments (
  reference text primary key,
  account_id uuid not null references accounts (id),
  transaction_id uuid not null,
  amount_micros bigint not null check (amount_micros > 0),
  credited_at timestamptz not null,
  -- The id that refunds and disputes refer to.
  intent text unique,
  -- Refunded or disputed, and the part that was taken from the account. The account owes the rest.
  reversed_micros bigint not null default 0,
  taken_back_micros bigint not null default 0,
  constraint at_most_what_was_paid check (
    reversed_micros between 0 and amount_micros and taken_back_micros between 0 and amount_micros
  )
);
create index card_payments_owed on card_payments (reference)
  where reversed_micros > taken_back_micros;

create table card_reversals (
  -- A charge, for all its refunds together, or a dispute.
  reference text primary key,
  payment text not null references card_payments (reference),
  reversed_micros bigint not null check (reversed_micros >= 0),
  -- A dispute that was won. Later notifications about it are outdated.
  is_final boolean not null
);
create index card_reversals_of_payment on card_reversals (payment);

-- Files. Capacity is reserved when an upload begins and released when its row is deleted. The used
-- capacity is always the sum of the rows, uploaded or not.

create table file_room (
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  used_bytes bigint not null check (used_bytes >= 0),
  primary key (account_id, mode)
) with (fillfactor = 40);

create table files (
  id uuid primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  filename text not null,
  mime text not null,
  tags text[] not null,
  note text,
  -- 'upload', 'url', or the action that produced the file.
  source text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  -- Before the upload: the expected hash, if the caller sent one. After it: the actual hash.
  sha256 bytea check (octet_length(sha256) = 32),
  -- The key in the object store. Null before the upload is complete.
  object_key text unique,
  created_at timestamptz not null,
  -- The key that created it.
  key_id uuid,
  check (object_key is null or sha256 is not null)
);
create index files_stored on files (account_id, mode, id desc) where object_key is not null;
create index files_awaited on files (id) where object_key is null;

-- Objects in the store that belong to no file: being written, or about to be deleted. A key is here
-- before its first byte is written and until its last byte is deleted, so no object is ever lost.
create table loose_objects (
  key text primary key,
  due_at timestamptz not null
);
create index loose_objects_by_due on loose_objects (due_at);

-- Secrets that all processes share, created by the first process that needs one.
create table shared_secrets (
  purpose text primary key,
  secret bytea not null
);

-- Sessions

-- Compute sessions, metered while they are open. Money and state change in one commit: an open
-- session has a hold for its use until paid_until_ms, and a closed session has none.
create table compute_sessions (
  -- The id of the call that opened it.
  id uuid primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  service text not null,
  wallet_id bigint not null,
  budget_id uuid,
  external_id text,
  -- Micro-dollars for an hour of the whole machine.
  rate_micros bigint not null check (rate_micros > 0),
  -- The maximum cost of the session. Null: only the account and the key limit it.
  most_micros bigint,
  -- The vendor's id. Null while the vendor creates the machine.
  handle jsonb,
  opened_ms bigint not null,
  used_ms bigint not null,
  -- The hold that covers the time from metered_from_ms to paid_until_ms.
  hold_id uuid not null,
  metered_from_ms bigint not null,
  paid_until_ms bigint not null,
  charged_micros bigint not null default 0,
  closed_ms bigint,
  close_reason text,
  -- Whether the vendor has confirmed the end. The gateway retries until then.
  is_torn_down boolean not null default false,
  -- The next attempt to end the session at the vendor, or to find the machine of an order whose
  -- response was lost. One process makes it.
  tell_at_ms bigint not null default 0,
  -- Micro-dollars for an hour of one busy CPU, and for an hour of one gigabyte of memory in use.
  -- Null: metered by time. A session metered by use has a hold for one program, replaced when it
  -- has ended.
  cpu_hour_micros bigint check (cpu_hour_micros > 0),
  gigabyte_hour_micros bigint check (gigabyte_hour_micros > 0),
  -- The amount of the current hold of a session metered by use. Null once it is closed.
  held_micros bigint,
  -- The charged intervals of the machine's time, by its own counters. Older intervals than the
  -- earliest possible start of a running program are dropped. Concurrent programs end in any order.
  charged_stretches jsonb not null default '[]',
  -- Start times of programs that have not ended, in Unix milliseconds.
  running jsonb not null default '[]',
  constraint compute_sessions_meter check (
    (cpu_hour_micros is null) = (gigabyte_hour_micros is null)
    and (cpu_hour_micros is not null and closed_ms is null) = (held_micros is not null)
  )
);
create index compute_sessions_open on compute_sessions (paid_until_ms) where closed_ms is null;
create index compute_sessions_closed on compute_sessions (closed_ms);
create index compute_sessions_standing on compute_sessions (closed_ms)
  where closed_ms is not null and not is_torn_down;
-- The number of open sessions is limited per account.
create index compute_sessions_of_account on compute_sessions (account_id, mode)
  where closed_ms is null;

-- Disk snapshots of compute sessions, from which later sessions start. The row is written before
-- the request to the vendor, so the gateway finds and deletes every snapshot that it ordered.
create table compute_snapshots (
  id uuid primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  -- The key that created it.
  key_id uuid,
  service text not null,
  session_id uuid not null,
  name text,
  -- The vendor's id. Null until the vendor accepts the order.
  reference text,
  ordered_ms bigint not null,
  -- Null until the vendor has finished it. Until then it is not listed and starts no session.
  made_ms bigint,
  expires_ms bigint not null,
  -- Set when it is deleted, expired or failed. The row stays until the vendor has deleted it.
  ended_ms bigint,
  -- The next attempt to delete it at the vendor.
  tell_at_ms bigint not null default 0
);
create index compute_snapshots_of_account on compute_snapshots (account_id, mode, id)
  where ended_ms is null;
create index compute_snapshots_expiring on compute_snapshots (expires_ms) where ended_ms is null;
create index compute_snapshots_ended on compute_snapshots (tell_at_ms) where ended_ms is not null;

-- Browser sessions opened with one of the operator's keys. The vendor cannot extend a session, so
-- the gateway orders the longest one and charges its minutes. The commit that moves paid_until_ms
-- charges for them, and the gateway ends the session at the vendor when they are over.
create table browser_sessions (
  -- The id of the call that opened it.
  id uuid primary key,
  account_id uuid not null references accounts,
  -- The vendor's id. Null while the vendor opens the session, and if its response was lost.
  session text unique,
  opened_ms bigint not null,
  -- While the session is being opened: the deadline of the call.
  paid_until_ms bigint not null,
  -- When the vendor ends it, even if more minutes are paid.
  lasts_until_ms bigint not null,
  ended_ms bigint,
  -- Whether the vendor has confirmed the end. The gateway retries until then.
  is_torn_down boolean not null default false,
  tell_at_ms bigint not null default 0,
  -- The key that created it.
  key_id uuid
);
create index browser_sessions_open on browser_sessions (paid_until_ms) where ended_ms is null;
create index browser_sessions_standing on browser_sessions (tell_at_ms)
  where ended_ms is not null and not is_torn_down;
create index browser_sessions_by_end on browser_sessions (ended_ms);

-- Processes

-- Each process holds one row while it runs. The ids of its calls end in the row's number, so
-- another process finds the holds and claims of a dead one. src/leases/README.md describes how a
-- death is detected.
create table process_leases (
  -- Six hexadecimal digits. 000000 marks an id without a lease.
  number text primary key check (number ~ '^[0-9a-f]{6}$' and number <> '000000'),
  -- Counts up while the process runs. Observers compare it with its previous value; no clock
  -- decides.
  beat bigint not null default 0,
  -- For Retry-After only.
  beat_at timestamptz not null default clock_timestamp(),
  -- Its holder must not use it any longer, and its work is being released.
  is_ended boolean not null default false
) with (fillfactor = 40);

-- The shared time of all processes of an installation (src/db/database-clock.ts): its lead over the
-- database's clock, whose jumps running processes do not follow. beat_ms is the database's time of
-- the last read of any process. Unlogged: it describes running processes only, and no read should
-- wait for the disk or a standby.
create unlogged table shared_clock (
  is_only boolean primary key default true check (is_only),
  ahead_ms double precision not null,
  beat_ms double precision not null,
  writer uuid not null
) with (fillfactor = 50);
