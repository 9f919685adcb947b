-- Open holds, with the columns of posted_calls.
create view open_calls as
  select id, wallet_id, null::bigint as sequence, budget_id, day, kind, 'held' as status,
    amount_micros as held_micros, 0::bigint as amount_micros, null::bigint as balance_after_micros,
    null::text as book, null::integer as latency_ms, null::text as error_code, null::json as hops,
    attributes.*
  from holds, call_attributes(holds.attributes) as attributes;
