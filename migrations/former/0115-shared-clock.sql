create unlogged table shared_clock (
  is_only boolean primary key default true check (is_only),
  ahead_ms double precision not null,
  beat_ms double precision not null,
  writer uuid not null
) with (fillfactor = 50);
