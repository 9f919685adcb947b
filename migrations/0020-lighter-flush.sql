-- Lighter ways through the ledger for what is ordinary: nobody is short of credit, no ceiling is reached, no window
-- begins and no lot expires. Each tries that in a subtransaction, and whatever it finds otherwise takes back the try and
-- leaves the decision to ledger_flush, call by call. So there is one judge of every refusal, and ordinary calls do not
-- pay for it. Verdicts, figures, locks (wallets, then budgets, in id order) and what is written are those of ledger_flush.
--
-- TG001 says inside these functions that a batch is not ordinary. It never leaves them.

-- One hold without an idempotency key: row by row, because that costs a third of a set of one.
create function ledger_hold_one(
  now_ms bigint, today integer, this_week integer, this_month integer,
  h_wallet bigint, h_budget uuid, h_id uuid, h_amount bigint, h_deadline bigint, h_kind text, h_service text, h_action text, h_external text,
  out resolved text, out opened text, out balances bigint[], out helds bigint[]
) language plpgsql as $$
declare
  balance bigint; held bigint; expiry timestamptz;
begin
  begin
    update wallets set held_micros = held_micros + h_amount
      where id = h_wallet and balance_micros - held_micros >= h_amount
      returning balance_micros, held_micros, next_expiry_at into balance, held, expiry;
    if not found or expiry <= to_timestamp(now_ms / 1000.0) then raise sqlstate 'TG001'; end if;
    if h_budget is not null then
      update budgets set day_held = day_held + h_amount, week_held = week_held + h_amount, month_held = month_held + h_amount, last_used_ms = now_ms
        where id = h_budget and state = 'open' and day_start = today and (ceiling_micros is null or h_amount <= ceiling_micros -
          case period when 'day' then day_spent + day_held when 'week' then week_spent + week_held else month_spent + month_held end);
      if not found then raise sqlstate 'TG001'; end if;
    end if;
    insert into holds (id, wallet_id, budget_id, amount_micros, day, deadline_ms, kind, service, action, external_id)
      values (h_id, h_wallet, h_budget, h_amount, today, h_deadline, h_kind, h_service, h_action, h_external);
    opened := 'o'; balances := array[balance]; helds := array[held];
    return;
  exception when sqlstate 'TG001' then null;
  end;
  select f.opened, f.balances, f.helds into opened, balances, helds from ledger_flush(
    now_ms, today, this_week, this_month, array[h_wallet], case when h_budget is not null then array[h_budget] end,
    null, null, null, null, null, null, null, null, null, null,
    array[h_id], array[1], array[case when h_budget is null then 0 else 1 end], array[h_amount], array[h_deadline],
    array[h_kind], array[h_service], array[h_action], array[h_external], null, null, null, null, null, null) as f;
end $$;

-- One resolution of a call without an idempotency key.
create function ledger_resolve_one(
  now_ms bigint, today integer, this_week integer, this_month integer,
  r_wallet bigint, r_budget uuid, r_id uuid, r_charge bigint, r_latency integer, r_error text, r_hops text,
  out resolved text, out opened text, out balances bigint[], out helds bigint[]
) language plpgsql as $$
declare
  h holds; balance bigint; held bigint; sequence bigint; expiry timestamptz;
begin
  begin
    select * into h from holds where id = r_id;
    update wallets set balance_micros = balance_micros - r_charge, held_micros = held_micros - h.amount_micros,
        spent_micros = spent_micros + r_charge, posted = posted + 1
      where id = r_wallet and h.id is not null
      returning balance_micros, held_micros, posted, next_expiry_at into balance, held, sequence, expiry;
    if not found or expiry <= to_timestamp(now_ms / 1000.0) then raise sqlstate 'TG001'; end if;
    if r_budget is not null then
      update budgets set day_held = day_held - h.amount_micros, week_held = week_held - h.amount_micros, month_held = month_held - h.amount_micros,
          day_spent = day_spent + r_charge, week_spent = week_spent + r_charge, month_spent = month_spent + r_charge, last_used_ms = now_ms
        where id = r_budget and day_start = h.day and day_start = today;
      if not found then raise sqlstate 'TG001'; end if;
    end if;
    -- Read before the wallet was locked, it may be gone by now.
    delete from holds where id = r_id;
    if not found then raise sqlstate 'TG001'; end if;
    insert into transactions (id, wallet_id, sequence, budget_id, day, kind, status, held_micros, amount_micros, balance_after_micros, book, latency_ms, service, action, external_id, error_code, hops)
      values (r_id, r_wallet, sequence, r_budget, h.day, h.kind, case when r_error is null then 'settled' else 'released' end, h.amount_micros, -r_charge, balance, 'revenue',
        r_latency, h.service, h.action, h.external_id, r_error, r_hops::json);
    resolved := 'k'; balances := array[balance]; helds := array[held];
    return;
  -- A hold that is gone was taken off its wallet before: the checks of the tables may notice that first.
  exception when sqlstate 'TG001' or check_violation then null;
  end;
  select f.resolved, f.balances, f.helds into resolved, balances, helds from ledger_flush(
    now_ms, today, this_week, this_month, array[r_wallet], case when r_budget is not null then array[r_budget] end,
    array[r_id], array[1], array[case when r_budget is null then 0 else 1 end], array[r_charge], array[r_latency], array[r_error], array[r_hops], null, null, null,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null) as f;
end $$;

-- Any number of calls, all or none, with no look at the single call. What each wallet and budget is moved by comes summed
-- up: charges, what is released of former holds, what is held anew (it must fit as a whole, which says that each fits),
-- and how many transactions are posted. For its transaction each resolution says what it expects to have been held, how
-- many of this batch come later on its wallet, and what those charge.
--
-- Conditions that do not depend on the place of a row are asked of what was written: as conditions of the join they lead
-- the planner, while the tables are small, to read a whole table for them.
create function ledger_flush_together(
  w_charge bigint[], w_release bigint[], w_hold bigint[], w_posts integer[],
  b_charge bigint[], b_release bigint[], b_hold bigint[],
  r_amount bigint[], r_later integer[], r_rest bigint[],
  now_ms bigint, today integer, this_week integer, this_month integer,
  wallet_ids bigint[], budget_ids uuid[],
  r_id uuid[], r_wallet integer[], r_budget integer[], r_charge bigint[], r_latency integer[], r_error text[], r_hops text[],
  a_place integer[], a_status smallint[], a_body text[],
  h_id uuid[], h_wallet integer[], h_budget integer[], h_amount bigint[], h_deadline bigint[],
  h_kind text[], h_service text[], h_action text[], h_external text[],
  c_account uuid[], c_route text[], c_key text[], c_call uuid[], c_fingerprint text[], c_expires bigint[],
  out resolved text, out opened text, out balances bigint[], out helds bigint[]
) language plpgsql as $$
declare
  changed_wallets bigint[]; posteds bigint[]; soonest_expiry timestamptz; fits boolean; done integer;
begin
  begin
    with changed as (
      update wallets set balance_micros = balance_micros - w_charge[place], held_micros = held_micros - w_release[place] + w_hold[place],
          spent_micros = spent_micros + w_charge[place], posted = posted + w_posts[place]
        from generate_subscripts(wallet_ids, 1) as place
        where id = wallet_ids[place] and balance_micros - w_charge[place] - held_micros + w_release[place] >= w_hold[place]
        returning id, balance_micros, held_micros, posted, next_expiry_at
    ) select array_agg(id), array_agg(balance_micros), array_agg(held_micros), array_agg(posted), min(next_expiry_at)
        into changed_wallets, balances, helds, posteds, soonest_expiry from changed;
    if changed_wallets is distinct from wallet_ids or soonest_expiry <= to_timestamp(now_ms / 1000.0) then raise sqlstate 'TG001'; end if;

    if cardinality(budget_ids) > 0 then
      with changed as (
        update budgets set day_spent = day_spent + b_charge[place], day_held = day_held - b_release[place] + b_hold[place],
            week_spent = week_spent + b_charge[place], week_held = week_held - b_release[place] + b_hold[place],
            month_spent = month_spent + b_charge[place], month_held = month_held - b_release[place] + b_hold[place], last_used_ms = now_ms
          from generate_subscripts(budget_ids, 1) as place where id = budget_ids[place]
          returning day_start = today and (b_hold[place] = 0 or state = 'open' and (ceiling_micros is null or ceiling_micros >=
            case period when 'day' then day_spent + day_held when 'week' then week_spent + week_held else month_spent + month_held end)) as is_ordinary
      ) select count(*) = cardinality(budget_ids) and bool_and(is_ordinary) into fits from changed;
      if not fits then raise sqlstate 'TG001'; end if;
    end if;

    if cardinality(r_id) > 0 then
      with ended as (
        delete from holds using generate_subscripts(r_id, 1) as place where id = r_id[place] returning place, amount_micros, day, kind, service, action, external_id
      )
      insert into transactions (id, wallet_id, sequence, budget_id, day, kind, status, held_micros, amount_micros, balance_after_micros, book, latency_ms, service, action, external_id, error_code, hops)
        select r_id[place], wallet_ids[r_wallet[place]], posteds[r_wallet[place]] - r_later[place], budget_ids[nullif(r_budget[place], 0)], day, kind, case when r_error[place] is null then 'settled' else 'released' end,
          amount_micros, -r_charge[place], balances[r_wallet[place]] + r_rest[place], 'revenue', r_latency[place], service, action, external_id, r_error[place], r_hops[place]::json
        from ended where amount_micros = r_amount[place] and day = today;
      get diagnostics done = row_count;
      if done < cardinality(r_id) then raise sqlstate 'TG001'; end if;
      resolved := repeat('k', done);
      if cardinality(a_place) > 0 then
        update answers set status = a_status[a], body = a_body[a] from generate_subscripts(a_place, 1) as a where call_id = r_id[a_place[a]] and a_status[a] is not null;
        delete from answers using generate_subscripts(a_place, 1) as a where call_id = r_id[a_place[a]] and a_status[a] is null;
      end if;
    end if;

    if cardinality(h_id) > 0 then
      if cardinality(c_call) > 0 and cardinality(ledger_claim(now_ms, c_account, c_route, c_key, c_call, c_fingerprint, c_expires)) > 0 then raise sqlstate 'TG001'; end if;
      insert into holds (id, wallet_id, budget_id, amount_micros, day, deadline_ms, kind, service, action, external_id)
        select h_id[h], wallet_ids[h_wallet[h]], budget_ids[nullif(h_budget[h], 0)], h_amount[h], today, h_deadline[h], h_kind[h], h_service[h], h_action[h], h_external[h]
        from generate_subscripts(h_id, 1) as h;
      opened := repeat('o', cardinality(h_id));
    end if;
    return;
  exception when sqlstate 'TG001' or check_violation then null;
  end;
  select f.resolved, f.opened, f.balances, f.helds into resolved, opened, balances, helds from ledger_flush(
    now_ms, today, this_week, this_month, wallet_ids, budget_ids,
    r_id, r_wallet, r_budget, r_charge, r_latency, r_error, r_hops, a_place, a_status, a_body,
    h_id, h_wallet, h_budget, h_amount, h_deadline, h_kind, h_service, h_action, h_external,
    c_account, c_route, c_key, c_call, c_fingerprint, c_expires) as f;
end $$;
