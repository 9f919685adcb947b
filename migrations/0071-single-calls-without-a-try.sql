-- One hold and one settlement by themselves, without a subtransaction: each asks in its conditions whether the call is
-- ordinary, and takes back by hand what it has written when it finds out later that it is not. That saves what a
-- subtransaction costs every call: an id, its record in the log, its memory. Verdicts, figures and locks are as before.

create or replace function ledger_hold_one(
  now_ms bigint, today integer, this_week integer, this_month integer,
  h_wallet bigint, h_budget uuid, h_id uuid, h_amount bigint, h_deadline bigint, h_kind text, h_service text, h_action text, h_external text,
  out resolved text, out opened text, out balances bigint[], out helds bigint[]
) language plpgsql as $$
declare
  balance bigint; held bigint;
begin
  update wallets set held_micros = held_micros + h_amount
    where id = h_wallet and balance_micros - held_micros >= h_amount and (next_expiry_at is null or next_expiry_at > to_timestamp(now_ms / 1000.0))
    returning balance_micros, held_micros into balance, held;
  if found then
    if h_budget is not null then
      update budgets set day_held = day_held + h_amount, week_held = week_held + h_amount, month_held = month_held + h_amount, last_used_ms = now_ms
        where id = h_budget and state = 'open' and day_start = today and (ceiling_micros is null or h_amount <= ceiling_micros -
          case period when 'day' then day_spent + day_held when 'week' then week_spent + week_held else month_spent + month_held end);
    end if;
    if found then
      insert into holds (id, wallet_id, budget_id, amount_micros, day, deadline_ms, kind, service, action, external_id)
        values (h_id, h_wallet, h_budget, h_amount, today, h_deadline, h_kind, h_service, h_action, h_external);
      opened := 'o'; balances := array[balance]; helds := array[held];
      return;
    end if;
    update wallets set held_micros = held_micros - h_amount where id = h_wallet;
  end if;
  select f.opened, f.balances, f.helds into opened, balances, helds from ledger_flush(
    now_ms, today, this_week, this_month, array[h_wallet], case when h_budget is not null then array[h_budget] end,
    null, null, null, null, null, null, null, null, null, null,
    array[h_id], array[1], array[case when h_budget is null then 0 else 1 end], array[h_amount], array[h_deadline],
    array[h_kind], array[h_service], array[h_action], array[h_external], null, null, null, null, null, null) as f;
end $$;

create or replace function ledger_resolve_one(
  now_ms bigint, today integer, this_week integer, this_month integer,
  r_wallet bigint, r_budget uuid, r_id uuid, r_charge bigint, r_latency integer, r_error text, r_hops text,
  out resolved text, out opened text, out balances bigint[], out helds bigint[]
) language plpgsql as $$
declare
  h holds; balance bigint; held bigint; sequence bigint;
begin
  select * into h from holds where id = r_id;
  -- Whoever ended the call since took it off what is held: that is asked for, or the checks of the tables would fail.
  update wallets set balance_micros = balance_micros - r_charge, held_micros = held_micros - h.amount_micros,
      spent_micros = spent_micros + r_charge, posted = posted + 1
    where id = r_wallet and held_micros >= h.amount_micros and (next_expiry_at is null or next_expiry_at > to_timestamp(now_ms / 1000.0))
    returning balance_micros, held_micros, posted into balance, held, sequence;
  if found then
    if r_budget is not null then
      update budgets set day_held = day_held - h.amount_micros, week_held = week_held - h.amount_micros, month_held = month_held - h.amount_micros,
          day_spent = day_spent + r_charge, week_spent = week_spent + r_charge, month_spent = month_spent + r_charge, last_used_ms = now_ms
        where id = r_budget and day_start = h.day and day_start = today and day_held >= h.amount_micros;
    end if;
    if found then
      -- Read before the wallet was locked, it may be gone by now. Deleted before that, it would be a lock out of order.
      delete from holds where id = r_id;
      if found then
        insert into transactions (id, wallet_id, sequence, budget_id, day, kind, status, held_micros, amount_micros, balance_after_micros, book, latency_ms, service, action, external_id, error_code, hops)
          values (r_id, r_wallet, sequence, r_budget, h.day, h.kind, case when r_error is null then 'settled' else 'released' end, h.amount_micros, -r_charge, balance, 'revenue',
            r_latency, h.service, h.action, h.external_id, r_error, r_hops::json);
        resolved := 'k'; balances := array[balance]; helds := array[held];
        return;
      end if;
      update budgets set day_held = day_held + h.amount_micros, week_held = week_held + h.amount_micros, month_held = month_held + h.amount_micros,
          day_spent = day_spent - r_charge, week_spent = week_spent - r_charge, month_spent = month_spent - r_charge
        where id = r_budget;
    end if;
    update wallets set balance_micros = balance_micros + r_charge, held_micros = held_micros + h.amount_micros,
        spent_micros = spent_micros - r_charge, posted = posted - 1
      where id = r_wallet;
  end if;
  select f.resolved, f.balances, f.helds into resolved, balances, helds from ledger_flush(
    now_ms, today, this_week, this_month, array[r_wallet], case when r_budget is not null then array[r_budget] end,
    array[r_id], array[1], array[case when r_budget is null then 0 else 1 end], array[r_charge], array[r_latency], array[r_error], array[r_hops], null, null, null,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null) as f;
end $$;
