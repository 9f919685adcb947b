-- Adds one to the number of each key.
create function count_places(counts jsonb, keys text[]) returns jsonb language sql immutable as $$
  select counts || jsonb_object_agg(key, coalesce((counts ->> key)::bigint, 0) + 1)
  from unnest(keys) as key
$$;
