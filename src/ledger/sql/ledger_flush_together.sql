-- A batch of ordinary calls: all or none, without deciding single calls. In a subtransaction it
-- writes each table once. If a call turns out not to be ordinary, the subtransaction is rolled back
-- and ledger_flush decides call by call. Verdicts, figures and locks (wallets, then budgets, each
-- in id order) are those of ledger_flush.

-- w_*, b_* and i_*: the sums by which each wallet, budget and LLM day changes: charges, released
-- holds, new holds (which must fit as a whole, so each of them fits), posted transactions.

-- The sums of a budget include all calls below it. b_parent has the budget above each, to whose sums
-- its own were added. If one is wrong or missing, the batch is not ordinary.

-- r_amount, r_later and r_rest: for each resolution the amount that its caller expects to be held,
-- and the number and the charges of later transactions of this batch on its wallet.

-- a_body: the bodies of a process of version 0.1.0. Later versions pass a_bodies.

-- uncounted: as in ledger_flush.

-- Conditions on a row's own columns are checked on the returned rows. In the join they would make
-- the planner scan a table that is still small.
create function ledger_flush_together(
  now_ms bigint, today integer, this_week integer, this_month integer,
  wallet_ids bigint[], w_charge bigint[], w_release bigint[], w_hold bigint[], w_posts integer[],
  budget_ids uuid[], b_charge bigint[], b_release bigint[], b_hold bigint[],
  i_wallet bigint[], i_release bigint[], i_hold bigint[],
  r_id uuid[], r_wallet integer[], r_budget integer[], r_charge bigint[],
  r_latency integer[], r_error text[], r_hops text[],
  r_amount bigint[], r_later integer[], r_rest bigint[],
  a_place integer[], a_status smallint[], a_body text[],
  h_id uuid[], h_wallet integer[], h_budget integer[], h_amount bigint[], h_deadline bigint[],
  h_kind text[], h_attributes integer[], attribute_sets jsonb[],
  c_account uuid[], c_route text[], c_key text[],
  c_call uuid[], c_fingerprint text[], c_expires bigint[],
  a_bodies text default null, a_from integer[] default null, a_length integer[] default null,
  b_parent uuid[] default null,
  uncounted bigint[] default '{}',
  out resolved text, out opened text, out balances bigint[], out helds bigint[]
) language plpgsql as $$
declare
  changed_wallets bigint[]; posteds bigint[]; soonest_expiry timestamptz;
  least_above_low bigint; fits boolean; done integer; alerted_budgets uuid[]; body_bytes bytea;
begin
  -- TG001 marks a batch that is not ordinary. It never leaves this function.
  begin
    with changed as (
      update wallets
        set balance_micros = balance_micros - w_charge[place],
          held_micros = held_micros - w_release[place] + w_hold[place],
          spent_micros = spent_micros + w_charge[place], posted = posted + w_posts[place]
        from generate_subscripts(wallet_ids, 1) as place
        where id = wallet_ids[place]
          and balance_micros - w_charge[place] - held_micros + w_release[place] >= w_hold[place]
        returning id, balance_micros, held_micros, posted, next_expiry_at,
          balance_micros - greatest(low_balance_micros, 1000000) as above_low
    )
    select array_agg(id), array_agg(balance_micros), array_agg(held_micros), array_agg(posted),
        min(next_expiry_at), min(above_low)
      into changed_wallets, balances, helds, posteds, soonest_expiry, least_above_low from changed;
    if changed_wallets is distinct from wallet_ids
      or soonest_expiry <= to_timestamp(now_ms / 1000.0) then raise sqlstate 'TG001'; end if;

    if cardinality(budget_ids) > 0 then
      with changed as (
        update budgets
          set day_spent = day_spent + b_charge[place],
            day_held = day_held - b_release[place] + b_hold[place],
            week_spent = week_spent + b_charge[place],
            week_held = week_held - b_release[place] + b_hold[place],
            month_spent = month_spent + b_charge[place],
            month_held = month_held - b_release[place] + b_hold[place],
            total_spent = total_spent + b_charge[place],
            total_held = total_held - b_release[place] + b_hold[place],
            last_used_ms = now_ms
          from generate_subscripts(budget_ids, 1) as place
          where id = budget_ids[place]
          returning day_start = today and parent_id is not distinct from b_parent[place]
            and (b_hold[place] = 0 or state = 'open'
              and (expires_ms is null or expires_ms > now_ms)
              and (ceiling_micros is null or ceiling_micros >= case period
                when 'day' then day_spent + day_held
                when 'week' then week_spent + week_held
                when 'month' then month_spent + month_held
                else total_spent + total_held
              end)
            ) as is_ordinary,
          case when crosses_threshold(
            period, day_spent, week_spent, month_spent, total_spent, ceiling_micros, alert_percents,
            b_charge[place]
          ) then id end as alerted
      )
      select count(*) = cardinality(budget_ids) and bool_and(is_ordinary),
          array_agg(alerted) filter (where alerted is not null)
        into fits, alerted_budgets from changed;
      if not fits then raise sqlstate 'TG001'; end if;
    end if;

    if cardinality(i_wallet) > 0 then
      -- The triggers inference_hold and inference_resolve skip this transaction's calls.
      perform set_config('tollgate.inference_counted', 'yes', true);
      update inference_days
        set used_micros = used_micros - i_release[place] + i_hold[place]
        from generate_subscripts(i_wallet, 1) as place
        where wallet_id = i_wallet[place] and day = today
          and used_micros - i_release[place] + i_hold[place] <= cap_micros;
      get diagnostics done = row_count;
      if done < cardinality(i_wallet) then raise sqlstate 'TG001'; end if;
    end if;

    if cardinality(r_id) > 0 then
      with ended as (
        delete from holds using generate_subscripts(r_id, 1) as place where id = r_id[place]
          returning place, amount_micros, holds.day, holds.kind, holds.attributes
      )
      insert into posted_calls
        select r_id[place], wallet_ids[r_wallet[place]],
          posteds[r_wallet[place]] - r_later[place], budget_ids[nullif(r_budget[place], 0)],
          ended.day, ended.kind,
          case when r_error[place] is null then 'settled' else 'released' end,
          ended.amount_micros, -r_charge[place], balances[r_wallet[place]] + r_rest[place],
          'revenue', r_latency[place], r_error[place], r_hops[place]::json,
          attributes.*
        from ended, call_attributes(ended.attributes) as attributes
        where ended.amount_micros = r_amount[place] and ended.day = today;
      get diagnostics done = row_count;
      if done < cardinality(r_id) then raise sqlstate 'TG001'; end if;
      resolved := repeat('k', done);
      if cardinality(a_place) > 0 then
        body_bytes := convert_to(a_bodies, 'UTF8');
        update answers
          set status = a_status[a],
            body = coalesce(
              a_body[a], convert_from(substring(body_bytes from a_from[a] for a_length[a]), 'UTF8')
            )
          from generate_subscripts(a_place, 1) as a
          where call_id = r_id[a_place[a]] and a_status[a] is not null;
        get diagnostics done = row_count;
        if done < cardinality(a_place) then
          delete from answers using generate_subscripts(a_place, 1) as a
            where call_id = r_id[a_place[a]] and a_status[a] is null;
        end if;
      end if;
    end if;

    if cardinality(h_id) > 0 then
      if cardinality(c_call) > 0 then
        -- Raises unique_violation for a key that is taken, and for an expired one that no sweep has
        -- deleted yet.
        insert into answers (account_id, route, idempotency_key, call_id, fingerprint, expires_ms)
          select c_account[c], c_route[c], c_key[c], c_call[c], decode(c_fingerprint[c], 'hex'),
            c_expires[c]
          from generate_subscripts(c_call, 1) as c;
      end if;
      insert into holds (
        id, wallet_id, budget_id, amount_micros, day, deadline_ms, kind, attributes
      )
        select h_id[h], wallet_ids[h_wallet[h]], budget_ids[nullif(h_budget[h], 0)],
          h_amount[h], today, h_deadline[h], h_kind[h], attribute_sets[h_attributes[h]]
        from generate_subscripts(h_id, 1) as h;
      opened := repeat('o', cardinality(h_id));
    end if;
    if cardinality(i_wallet) > 0 then
      perform set_config('tollgate.inference_counted', '', true);
    end if;
    if alerted_budgets is not null then
      perform write_key_threshold(now_ms, id, b_charge[array_position(budget_ids, id)])
        from unnest(alerted_budgets) as id;
    end if;
    -- The exact comparison is long, and PostgreSQL prepares it in every statement that contains it.
    if least_above_low < 0 then
      perform write_balance_event(now_ms, id)
        from wallets join generate_subscripts(wallet_ids, 1) as place on id = wallet_ids[place]
        where crosses_low_balance(balance_micros, low_balance_micros, w_charge[place]);
    end if;
    if uncounted is not null then
      perform mark_uncounted(case cardinality(uncounted) when 0 then wallet_ids else uncounted end);
    end if;
    return;
  -- A hold that is gone was already taken off its wallet: the constraints may notice that first.
  exception when sqlstate 'TG001' or check_violation or unique_violation then null;
  end;
  select f.resolved, f.opened, f.balances, f.helds into resolved, opened, balances, helds
    from ledger_flush(
      now_ms => now_ms, today => today, this_week => this_week, this_month => this_month,
      wallet_ids => wallet_ids, budget_ids => budget_ids,
      r_id => r_id, r_wallet => r_wallet, r_budget => r_budget, r_charge => r_charge,
      r_latency => r_latency, r_error => r_error, r_hops => r_hops,
      a_place => a_place, a_status => a_status, a_body => a_body, a_bodies => a_bodies,
      a_from => a_from, a_length => a_length,
      h_id => h_id, h_wallet => h_wallet, h_budget => h_budget, h_amount => h_amount,
      h_deadline => h_deadline, h_kind => h_kind, h_attributes => h_attributes,
      attribute_sets => attribute_sets,
      c_account => c_account, c_route => c_route, c_key => c_key, c_call => c_call,
      c_fingerprint => c_fingerprint, c_expires => c_expires, uncounted => uncounted
    ) as f;
end $$;
