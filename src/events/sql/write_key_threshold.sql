-- key.threshold in the commit of the charge that crosses it, once per key, window and threshold.

-- The condition compares the figures of the statement that charges, before and after, so a charge
-- that crosses nothing runs no function. The ledger can undo its writes within a transaction
-- (src/ledger/sql/ledger_resolve_one.sql). So the trigger is deferred, and reads the key's limit
-- as it is at the commit.
create function write_key_threshold() returns trigger language plpgsql as $$
declare
  b budgets; k keys; spent bigint; window_start integer; percent bigint;
begin
  select * into b from budgets where id = new.id;
  select * into k from keys where id = new.id;
  if not found or b.ceiling_micros is null or b.ceiling_micros = 0 then return null; end if;
  spent := case b.period
    when 'day' then b.day_spent when 'week' then b.week_spent else b.month_spent
  end;
  window_start := case b.period
    when 'day' then b.day_start when 'week' then b.week_start else b.month_start
  end;
  foreach percent in array coalesce(b.alert_percents, '{50,80,100}') loop
    continue when spent * 100 < percent * b.ceiling_micros;
    perform write_event(
      coalesce(b.last_used_ms, event_time_ms()), k.account_id, k.mode, k.id, 'key.threshold',
      jsonb_build_object(
        'key_id', public_id('agk', k.id), 'external_id', k.external_id,
        'threshold_percent', percent, 'spent_micros', spent,
        'ceiling_micros', b.ceiling_micros, 'ceiling_period', b.period,
        'window_start', (date '1970-01-01' + window_start)::text
      ),
      once => format('key.threshold %s %s %s %s', k.id, b.period, window_start, percent)
    );
  end loop;
  return null;
end $$;

create constraint trigger write_key_threshold after update of day_spent on budgets
  deferrable initially deferred for each row
  when (
    new.ceiling_micros is not null
    and width_bucket(
      case new.period
        when 'day' then new.day_spent when 'week' then new.week_spent else new.month_spent
      end * 100 / nullif(new.ceiling_micros::bigint, 0),
      coalesce(new.alert_percents, '{50,80,100}')
    ) > width_bucket(
      case
        when new.period = 'day' and new.day_start = old.day_start then old.day_spent
        when new.period = 'week' and new.week_start = old.week_start then old.week_spent
        when new.period = 'month' and new.month_start = old.month_start then old.month_spent
        else 0
      end * 100 / nullif(new.ceiling_micros::bigint, 0),
      coalesce(new.alert_percents, '{50,80,100}')
    )
  )
  execute function write_key_threshold();
