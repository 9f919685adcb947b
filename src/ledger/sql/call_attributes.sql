-- The descriptive columns of a call's transaction, read from the attributes of its hold: an array in
-- this order. The view posted_calls and `attributesJson` in src/ledger/hold.ts list the same fields.
-- Append new fields, because open holds have the old ones. PostgreSQL inlines the function.
create function call_attributes(attributes jsonb)
returns table (service text, action text, external_id text, http_referer text, app_title text, price_id text,
  surface text)
rows 1 language sql immutable as $$
  select attributes ->> 0, attributes ->> 1, attributes ->> 2, attributes ->> 3, attributes ->> 4,
    attributes ->> 5, attributes ->> 6
$$;
