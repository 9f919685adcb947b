-- session.closed in the commit that closes a compute session that had a machine.
create function write_session_event() returns trigger language plpgsql as $$
begin
  perform write_event(
    new.closed_ms, new.account_id, new.mode, new.budget_id, 'session.closed',
    jsonb_build_object(
      'session_id', public_id('ses', new.id), 'service', new.service,
      'key_id', public_id('agk', new.budget_id), 'close_reason', new.close_reason,
      'charged_micros', new.charged_micros
    )
  );
  return null;
end $$;

create constraint trigger write_session_event after update of closed_ms on compute_sessions
  deferrable initially deferred for each row
  when (
    new.closed_ms is not null and old.closed_ms is null and new.close_reason <> 'not_made'
  )
  execute function write_session_event();
