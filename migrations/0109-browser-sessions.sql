-- Browser sessions that are opened with a key of the operator's. Their vendor extends none, so it is asked for its longest
-- time, and the gateway sells the minutes of it: they are paid in the commit that moves `paid_until_ms`, and the vendor is
-- told to end the session when they are over.

create table browser_sessions (
  -- That of the call which opened it.
  id uuid primary key,
  account_id uuid not null references accounts,
  -- What the vendor calls it. Null while the vendor is opening it, and where nobody heard that it did.
  session text unique,
  opened_ms bigint not null,
  -- While it is being opened: when the call is given up.
  paid_until_ms bigint not null,
  -- When the vendor ends it, whatever is paid for.
  lasts_until_ms bigint not null,
  ended_ms bigint,
  -- Whether the vendor has been told; asked again and again until it has.
  is_torn_down boolean not null default false,
  tell_at_ms bigint not null default 0
);
create index browser_sessions_open on browser_sessions (paid_until_ms) where ended_ms is null;
create index browser_sessions_standing on browser_sessions (tell_at_ms) where ended_ms is not null and not is_torn_down;
create index browser_sessions_by_end on browser_sessions (ended_ms);
