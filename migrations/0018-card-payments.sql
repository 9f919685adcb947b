-- Checkouts that the gateway opened at the card processor. Times are Unix milliseconds.
create table checkouts (
  -- The processor's id.
  session text primary key,
  account_id uuid not null references accounts,
  amount_micros bigint not null check (amount_micros > 0),
  -- credited: its payment was added, and its card was not read yet. done: nothing remains to be read.
  status text not null default 'open' check (status in ('open', 'credited', 'done', 'expired')),
  saves_card boolean not null,
  created_ms bigint not null,
  -- When the gateway asks the processor next, and how often it has asked.
  ask_ms bigint not null,
  asked integer not null default 0,
  -- When a visitor who waits last caused a question.
  page_asked_ms bigint
);
create index checkouts_to_ask on checkouts (ask_ms) where status in ('open', 'credited');
create index checkouts_of_account on checkouts (account_id, created_ms);
create index checkouts_by_time on checkouts (created_ms);

alter table card_payments
  add column source text not null default 'checkout' check (source in ('checkout', 'automatic')),
  -- The card, if it is known.
  add column brand text,
  add column last4 text;
create index card_payments_of_account on card_payments (account_id, credited_at);

alter table card_reversals
  add column reason text not null default 'refund' check (reason in ('refund', 'dispute')),
  add column updated_ms bigint not null default 0;
update card_reversals set reason = 'dispute' where reference not like 'ch\_%';

-- Automatic top-ups: the settings and the saved card of an account.
create table auto_topups (
  account_id uuid primary key references accounts,
  is_on boolean not null default false,
  threshold_micros bigint not null check (threshold_micros > 0),
  amount_micros bigint not null check (amount_micros > 0),
  monthly_micros bigint not null check (monthly_micros >= amount_micros),
  -- The saved card. The ids are the processor's; the gateway never has the number of the card.
  customer text,
  method text,
  brand text,
  last4 text,
  -- Failed payments since the last success or change, and the reason why they turned it off.
  failures integer not null default 0,
  off_because text,
  -- No payment begins earlier.
  next_ms bigint not null default 0,
  -- The latest month (UTC) that payments count in: its first day, counted from 1970-01-01. It never goes back.
  month_start integer not null default 0
);
create index auto_topups_on on auto_topups (account_id) where is_on;

-- The payments of automatic top-ups. Also the processor's idempotency key.
create table topups (
  id uuid primary key,
  account_id uuid not null references accounts,
  amount_micros bigint not null check (amount_micros > 0),
  month_start integer not null,
  -- abandoned: it never reached the processor, and the account no longer wanted it.
  status text not null default 'open' check (status in ('open', 'paid', 'failed', 'abandoned')),
  -- Null after the account was erased.
  customer text,
  method text,
  created_ms bigint not null,
  -- A process works on it until then. Later, any other one settles it.
  lease_until_ms bigint not null,
  tries integer not null default 1,
  check (status <> 'open' or (customer is not null and method is not null))
);
-- At most one payment in progress for each account.
create unique index topups_open on topups (account_id) where status = 'open';
create index topups_by_month on topups (account_id, month_start);

-- The first visit of the pages: whether the holder has dismissed the first steps, and copied a key.
alter table accounts
  add column steps_dismissed boolean not null default false,
  add column key_copied boolean not null default false;
