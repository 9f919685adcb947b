-- Takes up to p_wanted permits of a vendor, and p_spare more if the vendor is far from its limit.
-- `why` names the limit that was short. Time is that of the process, because the database's clock
-- can jump.
create function vendor_take_at(
  p_now_ms bigint, p_label text, p_process text,
  p_wanted integer, p_spare integer, p_spare_valid_ms integer, p_valid_ms integer,
  p_rate integer, p_window_ms integer, p_concurrent integer, p_busy_ms integer, p_done bigint[],
  p_per_day integer, p_day integer, p_day_back integer,
  out given integer, out valid_ms integer, out busy_until_ms bigint,
  out wait_ms bigint, out why text
) language plpgsql as $$
declare
  turns vendor_turns%rowtype;
  now_ms constant bigint := p_now_ms;
  done bigint;
  place integer;
  in_window bigint;
  free bigint;
  others integer;
  earlier integer;
  mine bigint;
  next_turn bigint;
begin
  -- A crash of the server loses less than a second of permits. No call waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  select * into turns from vendor_turns where label = p_label for update;
  if not found then
    insert into vendor_turns (label) values (p_label) on conflict do nothing;
    select * into turns from vendor_turns where label = p_label for update;
  end if;

  select coalesce(array_agg(u order by u), '{}'), coalesce(array_agg(c order by u), '{}'),
      coalesce(sum(c), 0)
    into turns.rate_until_ms, turns.rate_count, in_window
    from unnest(turns.rate_until_ms, turns.rate_count) as lot(u, c) where u > now_ms;
  foreach done in array p_done loop
    place := array_position(turns.busy_until_ms, done);
    if place is not null then
      turns.busy_until_ms := turns.busy_until_ms[:place - 1] || turns.busy_until_ms[place + 1:];
    end if;
  end loop;
  turns.busy_until_ms := array(
    select u from unnest(turns.busy_until_ms) as busy(u) where u > now_ms
  );
  if turns.day < p_day then
    turns.day := p_day;
    turns.day_taken := 0;
  elsif turns.day = p_day then
    turns.day_taken := greatest(0, turns.day_taken - p_day_back);
  end if;

  free := greatest(0, least(
    p_rate - in_window,
    p_concurrent - cardinality(turns.busy_until_ms),
    p_per_day - turns.day_taken
  ));
  if turns.paused_until_ms > now_ms then free := 0; end if;

  select max(last_turn) filter (where process = p_process), coalesce(max(last_turn), 0) + 1
    into mine, next_turn from vendor_takers where label = p_label;
  select count(*), count(*) filter (where last_turn < coalesce(mine, 0))
    into others, earlier from vendor_takers
    where label = p_label and process <> p_process and waits_until_ms > now_ms;
  given := case
    when others = 0 then least(p_wanted, free)
    when free <= earlier then 0
    else least(p_wanted, free, greatest(1, free / (others + 1)))
  end;
  valid_ms := p_valid_ms;
  if given = p_wanted and others = 0 and p_spare > 0 and p_wanted > 0
    and free - given - p_spare >= coalesce(p_rate, 0) / 2
    and free - given - p_spare >= coalesce(p_per_day, 0) / 2 then
    given := given + p_spare;
    valid_ms := p_spare_valid_ms;
  end if;

  if given > 0 then
    -- Times are truncated to whole milliseconds; one more makes up for it.
    if p_rate is not null then
      turns.rate_until_ms := turns.rate_until_ms || (now_ms + valid_ms + p_window_ms + 1);
      turns.rate_count := turns.rate_count || given;
    end if;
    if p_concurrent is not null then
      busy_until_ms := now_ms + p_busy_ms + 1;
      turns.busy_until_ms := turns.busy_until_ms || array_fill(busy_until_ms, array[given]);
    end if;
    if p_per_day is not null then turns.day_taken := turns.day_taken + given; end if;
  end if;
  update vendor_turns v
    set rate_until_ms = turns.rate_until_ms, rate_count = turns.rate_count,
      busy_until_ms = turns.busy_until_ms, day = turns.day, day_taken = turns.day_taken
    where v.label = p_label;

  if given < p_wanted then
    why := case
      when turns.paused_until_ms > now_ms then 'pause'
      when p_per_day - turns.day_taken <= 0 then 'day'
      when p_rate - in_window - given <= 0 then 'rate'
      when p_concurrent - cardinality(turns.busy_until_ms) <= 0 then 'busy'
      else 'turn'
    end;
    wait_ms := case why
      when 'pause' then turns.paused_until_ms - now_ms
      when 'rate' then (select min(u) from unnest(turns.rate_until_ms) as lot(u)) - now_ms
      else 0
    end;
    delete from vendor_takers where label = p_label and waits_until_ms < now_ms - 60000;
    insert into vendor_takers values (
        p_label, p_process, now_ms + wait_ms + 500,
        case when given > 0 then next_turn else coalesce(mine, 0) end
      )
      on conflict (label, process) do update
        set waits_until_ms = excluded.waits_until_ms, last_turn = excluded.last_turn;
  elsif p_wanted > 0 and (mine is not null or others > 0) then
    insert into vendor_takers values (p_label, p_process, now_ms, next_turn)
      on conflict (label, process) do update
        set waits_until_ms = excluded.waits_until_ms, last_turn = excluded.last_turn;
  end if;
end $$;
