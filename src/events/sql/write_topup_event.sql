-- topup.succeeded in the commit that adds bought credit.
create function write_topup_event() returns trigger language plpgsql as $$
declare
  w wallets;
begin
  select * into w from wallets where id = new.wallet_id;
  perform write_event(
    floor(extract(epoch from new.created_at) * 1000)::bigint, w.account_id, w.mode, null,
    'topup.succeeded',
    jsonb_build_object(
      'transaction_id', public_id('tx', new.id), 'amount_micros', new.amount_micros,
      'balance_micros', w.balance_micros
    )
  );
  return null;
end $$;

create constraint trigger write_topup_event after insert on lots
  deferrable initially deferred for each row
  when (new.source = 'topup')
  execute function write_topup_event();
