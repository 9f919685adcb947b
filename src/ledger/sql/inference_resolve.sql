-- Returns the unspent part of a language-model call's hold to the wallet's day. Every hold ends in
-- one transaction, whose amounts contain that part.
create function inference_resolve() returns trigger language plpgsql as $$
begin
  update inference_days set used_micros = used_micros - (new.held_micros + new.amount_micros)
    where wallet_id = new.wallet_id and day = new.day;
  return null;
end $$;

-- As for inference_hold, ledger_flush_together counts ordinary calls itself.
create trigger inference_resolve after insert on transactions for each row
  when (
    new.kind = 'llm' and new.held_micros + new.amount_micros > 0
    and current_setting('tollgate.inference_counted', true) is distinct from 'yes'
  )
  execute function inference_resolve();
