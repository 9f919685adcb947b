-- Enlarges a hold when a vendor reports more use than was held for. It adds the available amount,
-- at most `wanted`. Its limits are the wallet's balance, the limits of the key and of the keys above it
-- in the windows of the hold, and the day's LLM cap. The settlement itself still charges at most the hold.

-- Locks are those of a flush, in its order: wallet, budgets by id, hold. The rest of a limit is unknown
-- once its window has passed, so nothing is added then. Returns the added amount: 0 for a hold that
-- has ended.
create function ledger_enlarge_hold(now_ms bigint, h_id uuid, wanted bigint)
returns bigint language plpgsql as $$
declare
  h holds; b budgets; path uuid[] := '{}'; granted bigint; available bigint;
begin
  select * into h from holds where id = h_id;
  if not found or wanted <= 0 then return 0; end if;
  -- It locks the wallet.
  perform ledger_expire_lots(h.wallet_id, now_ms);
  select least(wanted, balance_micros - held_micros) into granted
    from wallets where id = h.wallet_id;
  for b in
    select * from budgets
      where id = h.budget_id
        or id = any(array(select unnest(ancestors) from budgets where id = h.budget_id))
      order by id for no key update
  loop
    path := path || b.id;
    continue when b.ceiling_micros is null;
    available := case
      when b.period = 'day' and h.day >= b.day_start
        then b.ceiling_micros - b.day_spent - b.day_held
      when b.period = 'week' and h.day >= b.week_start
        then b.ceiling_micros - b.week_spent - b.week_held
      when b.period = 'month' and h.day >= b.month_start
        then b.ceiling_micros - b.month_spent - b.month_held
      when b.period = 'total' then b.ceiling_micros - b.total_spent - b.total_held
      else 0
    end;
    granted := least(granted, available);
  end loop;
  if h.kind = 'llm' then
    select cap_micros - used_micros into available
      from inference_days where wallet_id = h.wallet_id and day = h.day;
    granted := least(granted, coalesce(available, 0));
  end if;
  -- The hold was read before the wallet was locked, so it may have ended since.
  perform from holds where id = h_id for update;
  if not found or granted <= 0 then return 0; end if;
  update wallets set held_micros = held_micros + granted where id = h.wallet_id;
  update budgets
    set day_held = day_held + case when h.day >= day_start then granted else 0 end,
      week_held = week_held + case when h.day >= week_start then granted else 0 end,
      month_held = month_held + case when h.day >= month_start then granted else 0 end,
      total_held = total_held + granted
    where id = any(path);
  if h.kind = 'llm' then
    update inference_days set used_micros = used_micros + granted
      where wallet_id = h.wallet_id and day = h.day;
  end if;
  update holds set amount_micros = amount_micros + granted where id = h_id;
  return granted;
end $$;
