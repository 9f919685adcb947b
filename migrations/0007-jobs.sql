-- Durable jobs: paid work that outlives the call that asked for it. src/jobs/README.md tells the states.

create domain job_status as text check (value in ('queued', 'running', 'succeeded', 'failed'));

create table jobs (
  -- Also the id of its hold and of its transaction.
  id uuid primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  wallet_id bigint not null references wallets,
  budget_id uuid,
  service text not null,
  action text not null,
  input json not null,
  -- What is held, and so the most that its steps may cost.
  budget_micros bigint not null check (budget_micros > 0),
  -- Deep jobs count towards the few that an account may have running.
  is_deep boolean not null,
  status job_status not null default 'queued',
  -- The process that works on it, and until when nobody else may. Whoever finds the lease over takes the job up again.
  worker uuid,
  lease_until_ms bigint,
  attempt integer not null default 0,
  is_cancelled boolean not null default false,
  progress json,
  -- What the vendor calls it, for a job that a vendor does.
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
  constraint jobs_end_once check ((status in ('succeeded', 'failed')) = (finished_ms is not null))
);
-- What workers look for, oldest first.
create index jobs_open on jobs (id) where status in ('queued', 'running');
-- How many deep jobs an account has running.
create index jobs_deep_open on jobs (wallet_id) where is_deep and status in ('queued', 'running');
create index jobs_by_end on jobs (finished_ms) where finished_ms is not null;

-- A job's transaction has the job's own id.
alter table transactions drop column job_id;

-- What a job's steps brought, so that a job that is taken up again makes none of them twice. A row without an outcome
-- was begun and may or may not have been carried out. Gone when the job ends.
create table job_steps (
  job_id uuid not null references jobs on delete cascade,
  -- A digest of service, action and input.
  name bytea not null,
  -- What the vendor is told, so that it does not carry out a repeated request twice.
  idempotency_key uuid not null,
  invocation json,
  primary key (job_id, name)
);
