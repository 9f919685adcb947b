-- key.threshold for every percentage of its limit that a charge crosses, once per key, window, limit
-- and percentage: a changed limit has its own events. The ledger calls it in the commit of the charge.
create function write_key_threshold(
  now_ms bigint, budget uuid, charge bigint
) returns void language plpgsql as $$
declare
  b budgets; k keys; spent bigint; window_start integer; percent bigint;
begin
  select * into b from budgets where id = budget;
  select * into k from keys where id = budget;
  if not found or b.ceiling_micros is null or b.ceiling_micros = 0 then return; end if;
  spent := case b.period
    when 'day' then b.day_spent when 'week' then b.week_spent when 'month' then b.month_spent
    else b.total_spent
  end;
  -- Null for a limit that never resets.
  window_start := case b.period
    when 'day' then b.day_start when 'week' then b.week_start when 'month' then b.month_start
  end;
  foreach percent in array coalesce(b.alert_percents, '{50,80,100}') loop
    continue when spent * 100 < percent * b.ceiling_micros
      or (spent - charge) * 100 >= percent * b.ceiling_micros;
    perform write_event(
      now_ms, k.account_id, k.mode, k.id, 'key.threshold',
      jsonb_build_object(
        'key_id', public_id('agk', k.id), 'external_id', k.external_id,
        'threshold_percent', percent, 'spent_micros', spent,
        'ceiling_micros', b.ceiling_micros, 'ceiling_period', b.period,
        'window_start', (date '1970-01-01' + window_start)::text
      ),
      once => format(
        'key.threshold %s %s %s %s %s', k.id, b.period, window_start, b.ceiling_micros, percent
      )
    );
  end loop;
end $$;
