-- Claims up to `most` due deliveries for a worker, the earliest first, and returns their ids.
-- Deliveries above a rate are postponed, spread over the time that their lane needs for them.

-- used: the worker's tries in progress by account, by receiver, as 'slow', and as 'slow' with an
-- account. slow: receivers whose last try took long. Workers wait for each other here, so the rates
-- hold over all processes, and lanes are locked in any order.
create function claim_deliveries(
  of_worker uuid, now_ms bigint, lease_ms bigint, most integer, used jsonb, slow text[],
  account_share integer, receiver_share integer, slow_share integer
) returns setof uuid language plpgsql as $$
declare
  everyone constant uuid := '00000000-0000-0000-0000-000000000000';
  due record;
  pace record;
  wait_ms bigint;
  taken jsonb := used;
  spread jsonb := '{}';
  claimed integer := 0;
  places text[];
begin
  if not exists (
    select from deliveries where status = 'waiting' and next_ms <= now_ms and lease_until_ms <= now_ms
  ) then return; end if;
  perform pg_advisory_xact_lock(hashtext('claim_deliveries'));
  for due in
    select deliveries.id, deliveries.account_id, receiver, url_host(address) as host,
      receiver = any(slow) as is_slow,
      deliveries.mode = 'test' or type in ('key.paused', 'webhook.test', 'inbox.message')
        or data ->> 'charged_micros' = '0' as is_free,
      exists (
        select from delivery_paces where lane = url_host(address)
          and delivery_paces.account_id = deliveries.account_id and proved_ms is not null
      ) as is_proved
    from deliveries join events on events.id = event_id
      left join webhooks on webhooks.id = webhook_id
      cross join lateral (select coalesce(deliveries.url, webhooks.url) as address) as target
      cross join lateral (select delivery_receiver(webhook_id, address) as receiver) as by_receiver
    where deliveries.status = 'waiting' and next_ms <= now_ms and lease_until_ms <= now_ms
      and not exists (
        select from accounts where accounts.id = deliveries.account_id and paused_at is not null
      )
      and has_place(used, slow, deliveries.account_id, receiver, account_share, receiver_share, slow_share)
    order by next_ms limit 500 for update of deliveries skip locked
  loop
    exit when claimed = most;
    continue when not has_place(
      taken, slow, due.account_id, due.receiver, account_share, receiver_share, slow_share
    );
    wait_ms := 0;
    -- Emails have no host; their own lane is in send-delivery.ts.
    if due.host is not null then
      for pace in
        select * from (values
          ('unproved ' || due.host, due.account_id, 60000, 5, not due.is_proved),
          ('unproved', due.account_id, 6000, 30, not due.is_proved),
          ('free', due.account_id, 2000, 200, due.is_free),
          ('all', due.account_id, 20, 1000, true),
          (due.host, due.account_id, 200, 50, true),
          (due.host, everyone, 20, 100, true)
        ) as lanes (lane, payer, interval_ms, burst, applies) where applies
      loop
        wait_ms := take_pace(pace.lane, pace.payer, now_ms, pace.interval_ms, pace.burst);
        exit when wait_ms > 0;
      end loop;
    end if;
    if wait_ms > 0 then
      places := array[pace.lane || ' ' || pace.payer];
      update deliveries
        set next_ms = claim_deliveries.now_ms + wait_ms
          + pace.interval_ms * coalesce((spread ->> places[1])::bigint, 0)
        where id = due.id;
      spread := count_places(spread, places);
      continue;
    end if;
    update deliveries set worker = of_worker, lease_until_ms = now_ms + lease_ms where id = due.id;
    places := array[due.account_id::text, due.receiver];
    if due.is_slow then places := places || array['slow', 'slow ' || due.account_id]; end if;
    taken := count_places(taken, places);
    claimed := claimed + 1;
    return next due.id;
  end loop;
end $$;
