-- One hold, with the claim of its idempotency key if it has one. Row by row, which costs a third of
-- a set of one.

-- Its conditions ask whether the call is ordinary: enough credit, no limit reached, no lot expired,
-- no new window, a free key, no budget above. If one fails, it undoes its writes and ledger_flush decides. Undoing by
-- hand instead of with a subtransaction saves every call an id, its log record and its memory.
create function ledger_hold_one(
  now_ms bigint, today integer, this_week integer, this_month integer,
  h_wallet bigint, h_budget uuid, h_id uuid, h_amount bigint, h_deadline bigint,
  h_kind text, h_attributes jsonb,
  c_account uuid default null, c_route text default null, c_key text default null,
  c_fingerprint text default null, c_expires bigint default null,
  out resolved text, out opened text, out balances bigint[], out helds bigint[]
) language plpgsql as $$
declare
  balance bigint; held bigint;
begin
  update wallets set held_micros = held_micros + h_amount
    where id = h_wallet and balance_micros - held_micros >= h_amount
      and (next_expiry_at is null or next_expiry_at > to_timestamp(now_ms / 1000.0))
    returning balance_micros, held_micros into balance, held;
  if found then
    if h_budget is not null then
      update budgets
        set day_held = day_held + h_amount, week_held = week_held + h_amount,
          month_held = month_held + h_amount, total_held = total_held + h_amount,
          last_used_ms = now_ms
        where id = h_budget and state = 'open' and day_start = today and parent_id is null
          and (expires_ms is null or expires_ms > now_ms)
          and (ceiling_micros is null or h_amount <= ceiling_micros - case period
            when 'day' then day_spent + day_held
            when 'week' then week_spent + week_held
            when 'month' then month_spent + month_held
            else total_spent + total_held
          end);
    end if;
    if found then
      if c_key is not null then
        insert into answers (
          account_id, route, idempotency_key, call_id, fingerprint, expires_ms
        ) values (c_account, c_route, c_key, h_id, decode(c_fingerprint, 'hex'), c_expires)
          on conflict do nothing;
      end if;
      if found then
        insert into holds (
          id, wallet_id, budget_id, amount_micros, day, deadline_ms, kind, attributes
        ) values (h_id, h_wallet, h_budget, h_amount, today, h_deadline, h_kind, h_attributes);
        opened := 'o'; balances := array[balance]; helds := array[held];
        return;
      end if;
      update budgets
        set day_held = day_held - h_amount, week_held = week_held - h_amount,
          month_held = month_held - h_amount, total_held = total_held - h_amount
        where id = h_budget;
    end if;
    update wallets set held_micros = held_micros - h_amount where id = h_wallet;
  end if;
  select f.opened, f.balances, f.helds into opened, balances, helds from ledger_flush(
    now_ms => now_ms, today => today, this_week => this_week, this_month => this_month,
    wallet_ids => array[h_wallet],
    budget_ids => case when h_budget is not null then array[h_budget] end,
    h_id => array[h_id], h_wallet => array[1],
    h_budget => array[case when h_budget is null then 0 else 1 end],
    h_amount => array[h_amount], h_deadline => array[h_deadline],
    h_kind => array[h_kind], h_attributes => array[1],
    attribute_sets => array[h_attributes],
    c_account => array[c_account], c_route => array[c_route], c_key => array[c_key],
    c_call => case when c_key is not null then array[h_id] end,
    c_fingerprint => array[c_fingerprint], c_expires => array[c_expires]
  ) as f;
end $$;
