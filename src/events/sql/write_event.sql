-- Writes an event and a delivery for every webhook that receives it, in the commit of its cause.
-- Returns its id, or null if an event with the same once_key exists.

-- It locks the account's stream until the commit, so commits have the order of their numbers. The
-- triggers of the causes are deferred, and the ledger calls it with the wallet locked, so
-- transactions do not deadlock.

-- only_webhook: the one receiver of a test event. job_url: a receiver that is no webhook.
create function write_event(
  now_ms bigint, account uuid, of_mode text, key uuid, event_type text, facts jsonb,
  once text default null, only_webhook uuid default null, job_url text default null
) returns uuid language plpgsql as $$
declare
  event uuid := new_event_id(now_ms);
  number bigint;
begin
  insert into event_streams (account_id, mode) values (account, of_mode) on conflict do nothing;
  perform from event_streams where account_id = account and mode = of_mode for update;
  if once is not null and exists (
    select from events where account_id = account and once_key = once
  ) then return null; end if;
  update event_streams set last_sequence = last_sequence + 1
    where account_id = account and mode = of_mode
    returning last_sequence into strict number;
  insert into events (id, account_id, mode, sequence, key_id, type, data, once_key, created_ms)
    values (event, account, of_mode, number, key, event_type, facts, once, now_ms);
  insert into deliveries (id, event_id, account_id, mode, key_id, webhook_id, created_ms)
    select new_event_id(now_ms), event, account, of_mode, key, webhooks.id, now_ms
    from webhooks
    where account_id = account and mode = of_mode and status = 'active'
      and (not own_only or key_id = key)
      and case
        when only_webhook is null then receives_event(events, event_type)
        else webhooks.id = only_webhook
      end;
  if job_url is not null then
    insert into deliveries (id, event_id, account_id, mode, key_id, url, created_ms)
      values (new_event_id(now_ms), event, account, of_mode, key, job_url, now_ms);
  end if;
  perform pg_notify('tollgate_events', replace(account::text, '-', '') || ' ' || of_mode);
  return event;
end $$;
