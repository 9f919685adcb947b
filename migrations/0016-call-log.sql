-- The surface of a call; null: the HTTP API, or for language models the router.
alter table transactions add column surface text;

-- Calls without a charge: rejected, failed, free and repeated ones. A call that held credit is in
-- transactions under the same id, and here only for its error. Partitions are days.
create table call_log (
  wallet_id bigint not null,
  id uuid not null,
  budget_id uuid,
  surface text not null,
  service text,
  action text,
  external_id text,
  http_status smallint not null,
  error_code text,
  message text,
  param text,
  fix text,
  -- The stored answer of an earlier request with the same idempotency key.
  replayed boolean not null,
  -- A failed call that was charged: its payment had been sent to a merchant.
  charged boolean not null,
  duration_ms integer not null,
  -- More than 0: this row counts calls of one minute that have no row of their own.
  omitted integer not null default 0,
  primary key (wallet_id, id)
) partition by range (id);
create table call_log_default partition of call_log default;

-- Requests and responses of accounts that turned this on. Partitions are days.
create table call_bodies (
  wallet_id bigint not null,
  id uuid not null,
  request text,
  response text,
  request_chars integer not null,
  response_chars integer not null,
  primary key (wallet_id, id)
) partition by range (id);
create table call_bodies_default partition of call_bodies default;

alter table accounts add column stores_bodies boolean not null default false;
