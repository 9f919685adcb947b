-- Whether a list of types and patterns ("*", "job.*") includes the type.
create function receives_event(patterns text[], event_type text)
returns boolean language sql immutable as $$
  select exists (
    select from unnest(patterns) as pattern
    where pattern in ('*', event_type)
      or right(pattern, 2) = '.*' and starts_with(event_type, left(pattern, -1))
  )
$$;
