-- key.paused in the commit that pauses a key. Revoking a key ends the webhooks that receive only
-- its events, and their deliveries.
create function write_key_paused() returns trigger language plpgsql as $$
declare
  k keys;
begin
  if new.state = 'closed' then
    update webhooks set status = 'disabled', disabled_because = 'closed'
      where key_id = new.id and own_only and status = 'active';
    update deliveries set status = 'failed', ended_ms = event_time_ms()
      from webhooks
      where webhooks.id = webhook_id and webhooks.key_id = new.id and own_only
        and deliveries.status = 'waiting';
    return null;
  end if;
  select * into k from keys where id = new.id;
  if not found then return null; end if;
  perform write_event(
    event_time_ms(), k.account_id, k.mode, k.id, 'key.paused',
    jsonb_build_object('key_id', public_id('agk', k.id), 'external_id', k.external_id)
  );
  return null;
end $$;

create constraint trigger write_key_paused after update of state on budgets
  deferrable initially deferred for each row
  when (new.state is distinct from old.state and new.state <> 'open')
  execute function write_key_paused();
