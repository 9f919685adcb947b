-- The shared time of all processes (src/db/database-clock.ts), for causes whose rows have no time.
create function event_time_ms() returns bigint language sql volatile as $$
  select floor(extract(epoch from clock_timestamp()) * 1000
    + coalesce((select ahead_ms from shared_clock), 0))::bigint
$$;
