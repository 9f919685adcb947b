-- Uses up bought lots, the oldest first, for a charge of the same amount that this transaction
-- posts next. Until then lots_counted_micros exceeds spent_micros.
create function ledger_use_bought(wallet bigint, amount bigint) returns void language plpgsql as $$
begin
  perform from wallets where id = wallet for update;
  perform ledger_count_lots(wallet);
  update lots
    set remaining_micros = remaining_micros - least(remaining_micros, greatest(0, amount - before))
    from (
      select id,
        (sum(remaining_micros) over (order by place) - remaining_micros)::bigint as before
      from open_lots where wallet_id = wallet and source <> 'grant'
    ) as line
    where lots.id = line.id;
  update wallets set lots_counted_micros = lots_counted_micros + amount where id = wallet;
end $$;
