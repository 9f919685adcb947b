-- Payments from the operator's wallets to merchants. The intent is written before anything is signed, so that whatever
-- happens afterwards (a lost connection, a dead process) is found here: a signed payment is either `paid`, with its
-- receipt, or `unknown`, in the queue that a person works off.

create table payments (
  id uuid primary key,
  -- The call that wanted it; its hold and transaction have the same id. A composite may buy several times.
  call_id uuid not null,
  account_id uuid not null,
  service text not null,
  action text not null,
  method text not null,
  -- Who asked for the money: the host of the merchant, and its name of what it asked for.
  merchant text not null,
  challenge_id text not null,
  currency text not null,
  chain_id bigint,
  recipient text,
  amount_micros bigint not null check (amount_micros >= 0),
  -- The day (UTC, counted from 1970-01-01) whose ceiling it counts in.
  day integer not null,
  -- intended: nothing left this process yet. signed: it may have been sent. unsigned: it never was, its room is given back.
  status text not null check (status in ('intended', 'signed', 'unsigned', 'paid', 'unknown', 'resolved')),
  -- SHA-256 of what was signed.
  credential_hash text,
  reference text,
  receipt json,
  reason text,
  -- How a person settled it: paid (the money is gone) or unpaid (it never moved: its room is given back).
  resolution text check (resolution in ('paid', 'unpaid')),
  note text,
  created_ms bigint not null,
  -- Past it an intent that nobody finished goes to the queue.
  deadline_ms bigint not null,
  finished_ms bigint,
  -- A merchant may hand the same challenge out twice; it is paid once.
  unique (merchant, challenge_id)
);
create index payments_underway on payments (deadline_ms) where status in ('intended', 'signed');
create index payments_queue on payments (id) where status = 'unknown';
create index payments_by_call on payments (call_id);

-- What the wallets pay out in a day, with everything reserved and everything whose outcome is not known. The row is
-- locked by the statement that takes room from it, so the ceiling holds for any number of processes.
create table payment_days (
  day integer primary key,
  outflow_micros bigint not null check (outflow_micros >= 0)
);
