-- Takes back the remainder of granted lots that have expired, and locks the wallet. The part of a
-- lot that open holds would use stays, and never expires.
create function ledger_expire_lots(wallet bigint, now_ms bigint) returns void language plpgsql as $$
declare
  lot open_lots;
  held bigint;
  covering bigint;
begin
  select held_micros into strict held from wallets where id = wallet for update;
  perform ledger_count_lots(wallet);
  for lot in select * from open_lots where wallet_id = wallet order by place loop
    covering := least(lot.remaining_micros, held);
    held := held - covering;
    continue when lot.expired or lot.expires_at is null
      or lot.expires_at > to_timestamp(now_ms / 1000.0);
    update lots set remaining_micros = covering, expired = true where id = lot.id;
    continue when covering = lot.remaining_micros;
    update wallets
      set balance_micros = balance_micros - (lot.remaining_micros - covering), posted = posted + 1
      where id = wallet;
    insert into transactions (
      id, wallet_id, sequence, day, kind, status,
      held_micros, amount_micros, balance_after_micros, book
    )
      select
        -- A version 7 UUID of this moment.
        (lpad(to_hex(now_ms), 12, '0') || '7'
          || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
        wallet, posted, now_ms / 86400000, 'adjustment', 'settled',
        0, covering - lot.remaining_micros, balance_micros, 'expired_grants'
      from wallets where id = wallet;
    perform mark_uncounted(array[wallet]);
  end loop;
  perform ledger_next_expiry(wallet);
end $$;
