-- The current amount of credit that was not granted. Calls use up grants first.
create function ledger_bought(wallet bigint) returns bigint language sql stable as $$
  select greatest(
    0,
    coalesce(sum(remaining_micros) filter (where source <> 'grant'), 0)
      -- Charges since the last count, beyond the granted lots.
      - greatest(
        0,
        wallets.spent_micros - wallets.lots_counted_micros
          - coalesce(sum(remaining_micros) filter (where source = 'grant'), 0)
      )
  )::bigint
  from wallets left join open_lots on wallet_id = wallets.id
  where wallets.id = wallet
  group by wallets.id
$$;
