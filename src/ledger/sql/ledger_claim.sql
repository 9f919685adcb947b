-- Claims idempotency keys. Returns the calls whose key is already claimed, possibly by another call
-- of the same batch. Keys are claimed in order, so that two processes never deadlock.

-- All keys of one account and route belong to one wallet (the route names the mode), and the caller
-- has locked it. So no other flush is storing the response of a claimed key, which would make a
-- claim wait for that flush out of order.
create function ledger_claim(
  now_ms bigint, c_account uuid[], c_route text[], c_key text[],
  c_call uuid[], c_fingerprint text[], c_expires bigint[]
) returns uuid[] language plpgsql as $$
declare
  repeats uuid[];
begin
  delete from answers where call_id in (
    select call_id
    from unnest(c_account, c_route, c_key) as given(account, route, key)
      join answers
        on account_id = given.account and answers.route = given.route
          and idempotency_key = given.key
    where expires_ms <= now_ms
    order by account_id, answers.route, idempotency_key for update of answers
  );
  with claimed as (
    insert into answers (account_id, route, idempotency_key, call_id, fingerprint, expires_ms)
      select account, route, key, call, decode(fingerprint, 'hex'), expires
      from unnest(c_account, c_route, c_key, c_call, c_fingerprint, c_expires)
        with ordinality as given(account, route, key, call, fingerprint, expires, place)
      order by account, route, key, place
      on conflict do nothing returning call_id
  )
  select array_agg(call) into repeats
    from unnest(c_call) as call where call not in (select call_id from claimed);
  return coalesce(repeats, '{}');
end $$;
