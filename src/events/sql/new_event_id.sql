-- A version 7 UUID of this moment.
create function new_event_id(now_ms bigint) returns uuid language sql volatile as $$
  select (lpad(to_hex(now_ms), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;
