-- balance.low and balance.exhausted, once per top-up or grant. The ledger calls it in the commit of
-- a charge that takes the balance below one of the amounts.
create function write_balance_event(now_ms bigint, wallet bigint) returns void
language plpgsql as $$
declare
  w wallets; credit uuid; low bigint; facts jsonb;
begin
  select * into w from wallets where id = wallet;
  low := coalesce(w.low_balance_micros, 1000000);
  select id into credit from lots
    where wallet_id = wallet and source in ('topup', 'grant') order by id desc limit 1;
  facts := jsonb_build_object(
    'balance_micros', w.balance_micros, 'held_micros', w.held_micros, 'low_balance_micros', low
  );
  if w.balance_micros < low then
    perform write_event(
      now_ms, w.account_id, w.mode, null, 'balance.low', facts,
      once => format('balance.low %s %s', w.id, credit)
    );
  end if;
  if w.balance_micros < 10000 then
    perform write_event(
      now_ms, w.account_id, w.mode, null, 'balance.exhausted', facts,
      once => format('balance.exhausted %s %s', w.id, credit)
    );
  end if;
end $$;
