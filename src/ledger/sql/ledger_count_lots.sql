-- Uses up lots by the charges since the last count. The set of open lots does not change between
-- two counts, so "the earliest expiry first" has one answer.
create function ledger_count_lots(wallet bigint) returns void language plpgsql as $$
declare
  spent bigint;
begin
  select spent_micros - lots_counted_micros into spent from wallets where id = wallet;
  -- Negative: ledger_use_bought used up lots for a charge that this transaction posts next.
  if spent <= 0 then return; end if;
  update lots
    set remaining_micros = remaining_micros - least(remaining_micros, greatest(0, spent - before))
    from (
      select id,
        (sum(remaining_micros) over (order by place) - remaining_micros)::bigint as before
      from open_lots where wallet_id = wallet
    ) as line
    where lots.id = line.id;
  update wallets set lots_counted_micros = spent_micros where id = wallet;
end $$;
