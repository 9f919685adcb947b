-- balance.low and balance.exhausted in the commit of the charge that crosses them, once per top-up
-- or grant. Deferred for the reason of write_key_threshold.
create function write_balance_event() returns trigger language plpgsql as $$
declare
  w wallets; credit uuid; low bigint; facts jsonb;
begin
  select * into w from wallets where id = new.id;
  low := coalesce(w.low_balance_micros, 1000000);
  select id into credit from lots
    where wallet_id = new.id and source in ('topup', 'grant') order by id desc limit 1;
  facts := jsonb_build_object(
    'balance_micros', w.balance_micros, 'held_micros', w.held_micros, 'low_balance_micros', low
  );
  if w.balance_micros < low then
    perform write_event(
      event_time_ms(), w.account_id, w.mode, null, 'balance.low', facts,
      once => format('balance.low %s %s', w.id, credit)
    );
  end if;
  if w.balance_micros < 10000 then
    perform write_event(
      event_time_ms(), w.account_id, w.mode, null, 'balance.exhausted', facts,
      once => format('balance.exhausted %s %s', w.id, credit)
    );
  end if;
  return null;
end $$;

-- One cent is the least amount that pages show.
create constraint trigger write_balance_event after update of spent_micros on wallets
  deferrable initially deferred for each row
  when (
    new.balance_micros < old.balance_micros
    and (
      new.balance_micros < coalesce(new.low_balance_micros, 1000000)
        and old.balance_micros >= coalesce(new.low_balance_micros, 1000000)
      or new.balance_micros < 10000 and old.balance_micros >= 10000
    )
  )
  execute function write_balance_event();
