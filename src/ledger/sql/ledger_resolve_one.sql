-- One resolution. Row by row and without a subtransaction, as ledger_hold_one. If the call claimed
-- an idempotency key (a_claimed), its response is stored, or without a status the key is free again.
-- Unless its wallet is marked as uncounted (is_marked), it is marked.
create function ledger_resolve_one(
  now_ms bigint, today integer, this_week integer, this_month integer,
  r_wallet bigint, r_budget uuid, r_id uuid, r_charge bigint,
  r_latency integer, r_error text, r_hops text,
  a_claimed boolean default false, a_status smallint default null, a_body text default null,
  is_marked boolean default false,
  out resolved text, out opened text, out balances bigint[], out helds bigint[]
) language plpgsql as $$
declare
  h holds; balance bigint; held bigint; sequence bigint; low bigint;
  b_period text; b_day bigint; b_week bigint; b_month bigint; b_total bigint; b_ceiling bigint;
  b_percents bigint[];
begin
  select * into h from holds where id = r_id;
  -- If another process has resolved the call since, the held amounts no longer contain it. The
  -- conditions check that, because the constraints of the tables would fail the statement.
  update wallets
    set balance_micros = balance_micros - r_charge, held_micros = held_micros - h.amount_micros,
      spent_micros = spent_micros + r_charge, posted = posted + 1
    where id = r_wallet and held_micros >= h.amount_micros
      and (next_expiry_at is null or next_expiry_at > to_timestamp(now_ms / 1000.0))
    returning balance_micros, held_micros, posted, low_balance_micros
      into balance, held, sequence, low;
  if found then
    if r_budget is not null then
      update budgets
        set day_held = day_held - h.amount_micros, week_held = week_held - h.amount_micros,
          month_held = month_held - h.amount_micros, total_held = total_held - h.amount_micros,
          day_spent = day_spent + r_charge, week_spent = week_spent + r_charge,
          month_spent = month_spent + r_charge, total_spent = total_spent + r_charge,
          last_used_ms = now_ms
        where id = r_budget and day_start = h.day and day_start = today
          and day_held >= h.amount_micros and parent_id is null
        returning period, day_spent, week_spent, month_spent, total_spent, ceiling_micros,
          alert_percents
          into b_period, b_day, b_week, b_month, b_total, b_ceiling, b_percents;
    end if;
    if found then
      -- The hold was read before the wallet was locked, so it may be gone. Deleting it before that
      -- would lock rows out of order.
      delete from holds where id = r_id;
      if found then
        insert into posted_calls
          select r_id, r_wallet, sequence, r_budget, h.day, h.kind,
            case when r_error is null then 'settled' else 'released' end,
            h.amount_micros, -r_charge, balance, 'revenue', r_latency, r_error, r_hops::json,
            attributes.*
          from call_attributes(h.attributes) as attributes;
        if a_status is not null then
          update answers set status = a_status, body = a_body where call_id = r_id;
        elsif a_claimed then
          delete from answers where call_id = r_id;
        end if;
        -- PostgreSQL prepares an expression in every statement that contains it, so the comparisons
        -- of most calls are short.
        if b_ceiling is not null then
          if crosses_threshold(
            b_period, b_day, b_week, b_month, b_total, b_ceiling, b_percents, r_charge
          ) then perform write_key_threshold(now_ms, r_budget, r_charge); end if;
        end if;
        if balance < greatest(low, 1000000) then
          if crosses_low_balance(balance, low, r_charge) then
            perform write_balance_event(now_ms, r_wallet);
          end if;
        end if;
        if not is_marked then perform mark_uncounted(array[r_wallet]); end if;
        resolved := 'k'; balances := array[balance]; helds := array[held];
        return;
      end if;
      update budgets
        set day_held = day_held + h.amount_micros, week_held = week_held + h.amount_micros,
          month_held = month_held + h.amount_micros, total_held = total_held + h.amount_micros,
          day_spent = day_spent - r_charge, week_spent = week_spent - r_charge,
          month_spent = month_spent - r_charge, total_spent = total_spent - r_charge
        where id = r_budget;
    end if;
    update wallets
      set balance_micros = balance_micros + r_charge, held_micros = held_micros + h.amount_micros,
        spent_micros = spent_micros - r_charge, posted = posted - 1
      where id = r_wallet;
  end if;
  select f.resolved, f.balances, f.helds into resolved, balances, helds from ledger_flush(
    now_ms => now_ms, today => today, this_week => this_week, this_month => this_month,
    wallet_ids => array[r_wallet],
    budget_ids => case when r_budget is not null then array[r_budget] end,
    r_id => array[r_id], r_wallet => array[1],
    r_budget => array[case when r_budget is null then 0 else 1 end],
    r_charge => array[r_charge], r_latency => array[r_latency],
    r_error => array[r_error], r_hops => array[r_hops],
    a_place => case when a_claimed then array[1] end, a_status => array[a_status],
    a_bodies => a_body, a_from => array[1],
    a_length => array[octet_length(convert_to(a_body, 'UTF8'))]
  ) as f;
end $$;
