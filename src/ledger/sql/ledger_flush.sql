-- Group commit: any number of resolutions and holds, decided one by one in one transaction. It
-- locks and reads the wallets and budgets, decides each call in order on those figures in memory,
-- and writes each table once. Resolutions come first, because they only free credit.

-- Locks: wallets, then budgets, each in id order, so that two processes never deadlock.

-- A call counts in the budget of its key and in every budget above it, and must fit into all of
-- them. The budgets above those of the batch are added to budget_ids, if its process did not pass
-- them: every lock is taken in id order over the union of all paths.

-- wallet_ids and budget_ids are sorted and contain each wallet and budget of the batch. Calls refer
-- to them by place (the first is 1; budget place 0 means no budget), and answers refer to
-- resolutions.

-- Verdicts have one letter per call. Resolutions: k (resolved), g (gone: resolved before). Holds: o
-- (opened), c (credit short), l (limit of the budget), p (paused), x (closed), e (expired), r (repeated
-- idempotency key).

-- Arrays are read by index. Unnesting them side by side builds a tuple store for each, which took
-- longer than the rest of a small flush. Arrays with gaps (h_day, r_ended) would also shift. An
-- empty array is passed as null.
create function ledger_flush(
  now_ms bigint, today integer, this_week integer, this_month integer,
  wallet_ids bigint[], budget_ids uuid[],
  -- Resolutions.
  r_id uuid[] default null, r_wallet integer[] default null, r_budget integer[] default null,
  r_charge bigint[] default null, r_latency integer[] default null, r_error text[] default null,
  r_hops text[] default null,
  -- Responses to store for replay. Without a status the idempotency key is free again. The bodies
  -- are one text, because an array would escape every quote. a_from has the first byte of each, from
  -- 1, and a_length its number of bytes. Version 0.1.0 passed the array a_body instead.
  a_place integer[] default null, a_status smallint[] default null, a_body text[] default null,
  a_bodies text default null, a_from integer[] default null, a_length integer[] default null,
  -- Holds.
  h_id uuid[] default null, h_wallet integer[] default null, h_budget integer[] default null,
  h_amount bigint[] default null, h_deadline bigint[] default null, h_kind text[] default null,
  h_attributes integer[] default null, attribute_sets jsonb[] default null,
  -- Claims of idempotency keys.
  c_account uuid[] default null, c_route text[] default null, c_key text[] default null,
  c_call uuid[] default null, c_fingerprint text[] default null, c_expires bigint[] default null,
  -- The wallets to mark as uncounted; null: none. Processes of former versions do not pass it and
  -- mark all.
  uncounted bigint[] default '{}',
  out resolved text, out opened text, out balances bigint[], out helds bigint[]
) language plpgsql as $$
declare
  no_ceiling constant bigint := 9223372036854775807;
  locked_wallets bigint[]; spents bigint[]; posteds bigint[]; soonest_expiry timestamptz;
  missing uuid[]; given_budgets uuid[];
  locked_budgets uuid[]; states text[]; ceilings bigint[]; periods text[]; expiries bigint[];
  parent_ids uuid[]; root_ids uuid[]; parents integer[];
  total_spents bigint[]; total_helds bigint[];
  day_starts integer[]; day_spents bigint[]; day_helds bigint[];
  week_starts integer[]; week_spents bigint[]; week_helds bigint[];
  month_starts integer[]; month_spents bigint[]; month_helds bigint[];
  -- Holds that the resolutions end, and the place of each resolution.
  e_place integer[]; e_amount bigint[]; e_day integer[]; e_kind text[]; e_attributes jsonb[];
  e_sequence bigint[]; e_balance bigint[]; r_ended boolean[];
  h_day integer[]; repeats uuid[]; verdict text; used bigint;
  is_closed boolean; is_expired boolean; is_paused boolean; is_short boolean;
  newest integer; newest_week integer; newest_month integer;
  w integer; b integer; r integer; body_bytes bytea;
  -- The figures before the charges of this flush, for events of crossed thresholds.
  former_spents bigint[]; former_days bigint[]; former_weeks bigint[]; former_months bigint[];
  former_totals bigint[];
  low_wallets bigint[]; alerted_budgets uuid[];
begin
  select array_agg(id), array_agg(balance_micros), array_agg(held_micros),
      array_agg(spent_micros), array_agg(posted), min(next_expiry_at)
    into locked_wallets, balances, helds, spents, posteds, soonest_expiry
    from (
      select * from wallets where id = any(wallet_ids) order by id for no key update
    ) as locked;
  -- Places depend on it: an id that is missing, repeated or out of order would move the money of
  -- another customer.
  if locked_wallets is distinct from wallet_ids then
    raise 'no such wallet among %', wallet_ids using errcode = 'foreign_key_violation';
  end if;
  if soonest_expiry <= to_timestamp(now_ms / 1000.0) then
    perform ledger_expire_lots(id, now_ms) from unnest(wallet_ids) as id;
    select array_agg(balance_micros order by id), array_agg(posted order by id)
      into balances, posteds from wallets where id = any(wallet_ids);
  end if;

  if cardinality(budget_ids) > 0 then
    select array_agg(distinct ancestor) into missing
      from budgets, unnest(ancestors) as ancestor
      where budgets.id = any(budget_ids) and ancestor <> all(budget_ids);
    if missing is not null then
      given_budgets := budget_ids;
      budget_ids := array(select id from unnest(given_budgets || missing) as id order by id);
      r_budget := array(
        select coalesce(array_position(budget_ids, given_budgets[nullif(r_budget[place], 0)]), 0)
        from generate_subscripts(r_budget, 1) as place order by place
      );
      h_budget := array(
        select coalesce(array_position(budget_ids, given_budgets[nullif(h_budget[place], 0)]), 0)
        from generate_subscripts(h_budget, 1) as place order by place
      );
    end if;
    select array_agg(id), array_agg(state::text), array_agg(coalesce(ceiling_micros, no_ceiling)),
        array_agg(period::text), array_agg(expires_ms),
        array_agg(parent_id), array_agg(ancestors[1]),
        array_agg(day_start), array_agg(day_spent), array_agg(day_held),
        array_agg(week_start), array_agg(week_spent), array_agg(week_held),
        array_agg(month_start), array_agg(month_spent), array_agg(month_held),
        array_agg(total_spent), array_agg(total_held)
      into locked_budgets, states, ceilings, periods, expiries,
        parent_ids, root_ids,
        day_starts, day_spents, day_helds,
        week_starts, week_spents, week_helds,
        month_starts, month_spents, month_helds,
        total_spents, total_helds
      from (
        select * from budgets where id = any(budget_ids) order by id for no key update
      ) as locked;
    if locked_budgets is distinct from budget_ids then
      raise 'no such budget among %', budget_ids using errcode = 'foreign_key_violation';
    end if;
    for b in 1 .. cardinality(budget_ids) loop
      parents[b] := coalesce(array_position(budget_ids, parent_ids[b]), 0);
      -- The topmost budget has the newest day of its tree. A call of a process whose clock is behind
      -- counts in that day in the whole tree.
      newest := greatest(
        today, day_starts[coalesce(array_position(budget_ids, root_ids[b]), b)]
      );
      continue when day_starts[b] >= newest;
      day_starts[b] := newest; day_spents[b] := 0; day_helds[b] := 0;
      newest_week := this_week; newest_month := this_month;
      if newest > today then
        -- 1970-01-01 was a Thursday, three days after a Monday.
        newest_week := newest - (newest + 3) % 7;
        newest_month := date_trunc('month', date '1970-01-01' + newest)::date - date '1970-01-01';
      end if;
      if week_starts[b] < newest_week then
        week_starts[b] := newest_week; week_spents[b] := 0; week_helds[b] := 0;
      end if;
      if month_starts[b] < newest_month then
        month_starts[b] := newest_month; month_spents[b] := 0; month_helds[b] := 0;
      end if;
    end loop;
  end if;

  former_spents := spents;
  former_days := day_spents; former_weeks := week_spents; former_months := month_spents;
  former_totals := total_spents;
  if cardinality(r_id) > 0 then
    with ended as (
      delete from holds using generate_subscripts(r_id, 1) as place where id = r_id[place]
        returning place, amount_micros, day, kind, attributes
    )
    select array_agg(place), array_agg(amount_micros), array_agg(day), array_agg(kind),
        array_agg(attributes)
      into e_place, e_amount, e_day, e_kind, e_attributes from ended;
    for e in 1 .. coalesce(cardinality(e_place), 0) loop
      r := e_place[e]; r_ended[r] := true; w := r_wallet[r]; b := r_budget[r];
      balances[w] := balances[w] - r_charge[r];
      helds[w] := helds[w] - e_amount[e];
      spents[w] := spents[w] + r_charge[r];
      posteds[w] := posteds[w] + 1;
      e_sequence[e] := posteds[w];
      e_balance[e] := balances[w];
      while b > 0 loop
        -- A hold belongs to the windows in which it was opened. Windows that have passed do not
        -- change.
        if e_day[e] >= day_starts[b] then
          day_helds[b] := day_helds[b] - e_amount[e]; day_spents[b] := day_spents[b] + r_charge[r];
        end if;
        if e_day[e] >= week_starts[b] then
          week_helds[b] := week_helds[b] - e_amount[e];
          week_spents[b] := week_spents[b] + r_charge[r];
        end if;
        if e_day[e] >= month_starts[b] then
          month_helds[b] := month_helds[b] - e_amount[e];
          month_spents[b] := month_spents[b] + r_charge[r];
        end if;
        total_helds[b] := total_helds[b] - e_amount[e];
        total_spents[b] := total_spents[b] + r_charge[r];
        b := parents[b];
      end loop;
    end loop;
    insert into posted_calls
      select r_id[place], wallet_ids[r_wallet[place]], e_sequence[e],
        budget_ids[nullif(r_budget[place], 0)], e_day[e], e_kind[e],
        case when r_error[place] is null then 'settled' else 'released' end,
        e_amount[e], -r_charge[place], e_balance[e],
        'revenue', r_latency[place], r_error[place], r_hops[place]::json,
        attributes.*
      from (
        select e, e_place[e] as place from generate_subscripts(e_place, 1) as e
      ) as ended, call_attributes(e_attributes[ended.e]) as attributes;
    if cardinality(e_place) = cardinality(r_id) then
      resolved := repeat('k', cardinality(r_id));
    else
      select string_agg(case when r_ended[place] then 'k' else 'g' end, '' order by place)
        into resolved from generate_subscripts(r_id, 1) as place;
    end if;
    -- Only the resolution that ended the call decides on its answer. One that came too late must
    -- not free the idempotency key.
    if cardinality(a_place) > 0 then
      body_bytes := convert_to(a_bodies, 'UTF8');
      update answers
        set status = a_status[a],
          body = coalesce(
            a_body[a], convert_from(substring(body_bytes from a_from[a] for a_length[a]), 'UTF8')
          )
        from generate_subscripts(a_place, 1) as a
        where call_id = r_id[a_place[a]] and a_status[a] is not null and r_ended[a_place[a]];
      delete from answers using generate_subscripts(a_place, 1) as a
        where call_id = r_id[a_place[a]] and a_status[a] is null and r_ended[a_place[a]];
    end if;
  end if;

  if cardinality(h_id) > 0 then
    opened := '';
    if cardinality(c_call) > 0 then
      repeats := ledger_claim(
        now_ms, c_account, c_route, c_key, c_call, c_fingerprint, c_expires
      );
    end if;
    for h in 1 .. cardinality(h_id) loop
      w := h_wallet[h]; b := h_budget[h];
      is_closed := false; is_expired := false; is_paused := false; is_short := false;
      while b > 0 loop
        used := case periods[b]
          when 'day' then day_spents[b] + day_helds[b]
          when 'week' then week_spents[b] + week_helds[b]
          when 'month' then month_spents[b] + month_helds[b]
          else total_spents[b] + total_helds[b]
        end;
        is_closed := is_closed or states[b] = 'closed';
        is_expired := is_expired or coalesce(expiries[b] <= now_ms, false);
        is_paused := is_paused or states[b] = 'paused';
        is_short := is_short or ceilings[b] - used < h_amount[h];
        b := parents[b];
      end loop;
      verdict := case
        when h_id[h] = any(repeats) then 'r'
        when is_closed then 'x'
        when is_expired then 'e'
        when is_paused then 'p'
        when is_short then 'l'
        when balances[w] - helds[w] < h_amount[h] then 'c'
        else 'o'
      end;
      opened := opened || verdict;
      continue when verdict <> 'o';
      helds[w] := helds[w] + h_amount[h];
      b := h_budget[h];
      h_day[h] := case when b = 0 then today else day_starts[b] end;
      while b > 0 loop
        day_helds[b] := day_helds[b] + h_amount[h];
        week_helds[b] := week_helds[b] + h_amount[h];
        month_helds[b] := month_helds[b] + h_amount[h];
        total_helds[b] := total_helds[b] + h_amount[h];
        b := parents[b];
      end loop;
    end loop;
    insert into holds (
      id, wallet_id, budget_id, amount_micros, day, deadline_ms, kind, attributes
    )
      select h_id[h], wallet_ids[h_wallet[h]], budget_ids[nullif(h_budget[h], 0)],
        h_amount[h], h_day[h], h_deadline[h], h_kind[h],
        attribute_sets[h_attributes[h]]
      from generate_subscripts(h_id, 1) as h where h_day[h] is not null;
    -- A refused hold stores no answer: its idempotency key is free again.
    if cardinality(c_call) > 0 and opened ~ '[celpx]' then
      delete from answers where call_id in (
        select h_id[place] from generate_subscripts(h_id, 1) as place
        where substr(opened, place, 1) not in ('o', 'r')
      );
    end if;
  end if;

  with changed as (
    update wallets
      set balance_micros = balances[place], held_micros = helds[place],
        spent_micros = spents[place], posted = posteds[place]
      from generate_subscripts(wallet_ids, 1) as place where id = wallet_ids[place]
      returning id, crosses_low_balance(
        balance_micros, low_balance_micros, spent_micros - former_spents[place]
      ) as is_low
  )
  select array_agg(id) filter (where is_low) into low_wallets from changed;
  if cardinality(budget_ids) > 0 then
    with changed as (
      update budgets
        set day_start = day_starts[place], day_spent = day_spents[place],
          day_held = day_helds[place],
          week_start = week_starts[place], week_spent = week_spents[place],
          week_held = week_helds[place],
          month_start = month_starts[place], month_spent = month_spents[place],
          month_held = month_helds[place],
          total_spent = total_spents[place], total_held = total_helds[place],
          last_used_ms = now_ms
        from generate_subscripts(budget_ids, 1) as place where id = budget_ids[place]
        returning id, crosses_threshold(
          period, day_spent, week_spent, month_spent, total_spent, ceiling_micros, alert_percents,
          case period
            when 'day' then day_spent - former_days[place]
            when 'week' then week_spent - former_weeks[place]
            when 'month' then month_spent - former_months[place]
            else total_spent - former_totals[place]
          end
        ) as is_at_threshold
    )
    select array_agg(id) filter (where is_at_threshold) into alerted_budgets from changed;
  end if;
  if alerted_budgets is not null then
    perform write_key_threshold(now_ms, id, case period
        when 'day' then day_spent - former_days[place]
        when 'week' then week_spent - former_weeks[place]
        when 'month' then month_spent - former_months[place]
        else total_spent - former_totals[place]
      end)
      from unnest(alerted_budgets) as alerted join budgets on budgets.id = alerted,
        array_position(budget_ids, alerted) as place;
  end if;
  if low_wallets is not null then
    perform write_balance_event(now_ms, id) from unnest(low_wallets) as id;
  end if;
  if uncounted is not null then
    perform mark_uncounted(case cardinality(uncounted) when 0 then wallet_ids else uncounted end);
  end if;
end $$;
