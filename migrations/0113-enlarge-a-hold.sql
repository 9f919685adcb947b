-- A vendor's report of use may come to more than was held for it. Before such a call is settled its hold is enlarged by as
-- much as is free: of the wallet's balance, of the key's ceiling in the window that the hold belongs to, and of the day's
-- cap on language models. The settlement itself stays what it is: at most what is held.
--
-- Locks are those of a flush, in its order: wallet, budget, hold. A window that has passed cannot show what is left of its
-- ceiling or cap any more, so nothing is added then. Returns what was added; 0 for a hold that has ended.

create function ledger_enlarge_hold(now_ms bigint, h_id uuid, wanted bigint) returns bigint language plpgsql as $$
declare
  h holds; b budgets; granted bigint; room bigint;
begin
  select * into h from holds where id = h_id;
  if not found or wanted <= 0 then return 0; end if;
  -- It locks the wallet.
  perform ledger_expire_lots(h.wallet_id, now_ms);
  select least(wanted, balance_micros - held_micros) into granted from wallets where id = h.wallet_id;
  if h.budget_id is not null then
    select * into strict b from budgets where id = h.budget_id for no key update;
    if b.ceiling_micros is not null then
      room := case b.period
        when 'day' then case when h.day >= b.day_start then b.ceiling_micros - b.day_spent - b.day_held else 0 end
        when 'week' then case when h.day >= b.week_start then b.ceiling_micros - b.week_spent - b.week_held else 0 end
        else case when h.day >= b.month_start then b.ceiling_micros - b.month_spent - b.month_held else 0 end end;
      granted := least(granted, room);
    end if;
  end if;
  if h.kind = 'llm' then
    select cap_micros - used_micros into room from inference_days where wallet_id = h.wallet_id and day = h.day;
    granted := least(granted, coalesce(room, 0));
  end if;
  -- Read before the wallet was locked, it may have ended since.
  perform from holds where id = h_id for update;
  if not found or granted <= 0 then return 0; end if;
  update wallets set held_micros = held_micros + granted where id = h.wallet_id;
  if h.budget_id is not null then
    update budgets set day_held = day_held + case when h.day >= day_start then granted else 0 end,
        week_held = week_held + case when h.day >= week_start then granted else 0 end,
        month_held = month_held + case when h.day >= month_start then granted else 0 end
      where id = h.budget_id;
  end if;
  if h.kind = 'llm' then update inference_days set used_micros = used_micros + granted where wallet_id = h.wallet_id and day = h.day; end if;
  update holds set amount_micros = amount_micros + granted where id = h_id;
  return granted;
end $$;
