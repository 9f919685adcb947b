-- The policy of a key. Null: no restriction. Patterns and addresses are checked when they are set
-- (src/keys/policy).
alter table keys
  add column allow text[],
  add column deny text[],
  add column max_call_micros bigint check (max_call_micros >= 0),
  add column rate_limit integer check (rate_limit > 0),
  add column allowed_ips text[];

-- The key stops working at this time (Unix milliseconds).
alter table budgets add column expires_ms bigint;

-- Requests of keys with a rate limit in the current minute (Unix time / 60). A crash of the
-- database empties it, which starts a new minute.
create unlogged table key_rates (
  key_id uuid primary key,
  minute bigint not null,
  used integer not null
) with (fillfactor = 40);
