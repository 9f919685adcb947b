-- payment.unknown in the commit that queues a payment for the operator's decision.
create function write_payment_event() returns trigger language plpgsql as $$
begin
  perform write_event(
    coalesce(new.finished_ms, new.created_ms), new.account_id, new.mode, null, 'payment.unknown',
    jsonb_build_object(
      'request_id', public_id('req', new.call_id), 'action', new.service || '/' || new.action,
      'merchant', new.merchant, 'amount_micros', new.amount_micros
    )
  );
  return null;
end $$;

create constraint trigger write_payment_event after update of status on payments
  deferrable initially deferred for each row
  when (new.status = 'unknown' and old.status <> 'unknown')
  execute function write_payment_event();
