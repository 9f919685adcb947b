-- The descriptive columns of a call's transaction, read from the attributes of its hold. This
-- function, the view posted_calls and `attributesOf` in src/ledger/hold.ts list the same fields.
-- PostgreSQL inlines the function into the statement that calls it.
create function call_attributes(attributes jsonb)
returns table (service text, action text, external_id text)
rows 1 language sql immutable as $$
  select attributes ->> 'service', attributes ->> 'action', attributes ->> 'external_id'
$$;
