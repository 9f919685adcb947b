-- Each process holds one row while it lives. The ids of its calls end in the row's number, so another process finds the
-- holds and claims of a dead one. src/leases/README.md describes how death is judged.
create table process_leases (
  -- Six hexadecimal digits; never 000000, which marks an id without a lease.
  number text primary key check (number ~ '^[0-9a-f]{6}$' and number <> '000000'),
  -- Counts up while the process lives. Observers compare it with what they saw before; no clock decides.
  beat bigint not null default 0,
  -- For Retry-After alone.
  beat_at timestamptz not null default clock_timestamp(),
  -- Its holder may not use it any more, and its work is being released.
  is_ended boolean not null default false
) with (fillfactor = 40);
