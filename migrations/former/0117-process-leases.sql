create table process_leases (
  number text primary key check (number ~ '^[0-9a-f]{6}$' and number <> '000000'),
  beat bigint not null default 0,
  beat_at timestamptz not null default clock_timestamp(),
  is_ended boolean not null default false
) with (fillfactor = 40);
