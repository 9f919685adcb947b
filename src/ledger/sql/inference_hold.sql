-- Counts the holds of language-model calls in the wallet's day, and enforces the day's cap. A hold
-- has one budget, that of its key, so a trigger enforces this second limit in the commit that opens
-- the hold. Calls of other kinds do not run it. Every hold locks its wallet first, so no two
-- transactions compete for a wallet's row.
create function inference_hold() returns trigger language plpgsql as $$
declare
  taken bigint; cap bigint;
begin
  -- The common case on its own, because it is the cheapest statement.
  update inference_days set used_micros = used_micros + new.amount_micros
    where wallet_id = new.wallet_id and day = new.day
      and used_micros + new.amount_micros <= cap_micros;
  if found then return new; end if;
  -- A hold of a process whose clock is behind counts in the newer day.
  insert into inference_days as present (wallet_id, day, used_micros)
    values (new.wallet_id, new.day, new.amount_micros)
    on conflict (wallet_id) do update set
      day = greatest(present.day, excluded.day),
      used_micros = excluded.used_micros
        + case when excluded.day > present.day then 0 else present.used_micros end
    returning used_micros, cap_micros into taken, cap;
  -- Refuses only this hold: the ledger repeats a batch that fails for its data call by call.
  if taken > cap then
    raise 'wallet % would use % of % for language models today', new.wallet_id, taken, cap
      using errcode = 'TG429';
  end if;
  return new;
end $$;

-- ledger_flush_together moves each wallet's day once per flush, by the sum, and sets this variable.
-- Two triggers for each call cost half of such a call's database time.
create trigger inference_hold before insert on holds for each row
  when (
    new.kind = 'llm'
    and current_setting('tollgate.inference_counted', true) is distinct from 'yes'
  )
  execute function inference_hold();
