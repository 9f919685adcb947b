-- What an account may spend on language models in a day is capped, besides its balance and its keys' ceilings. A hold
-- names one budget, its key's; so this second limit is kept by triggers, in the very commits that open and resolve holds:
-- no process and no sweep can forget it. Other kinds of call do not reach the triggers' bodies. Every hold and resolution
-- locks its wallet first, so a wallet's row here is never fought over.

create table inference_days (
  wallet_id bigint primary key references wallets,
  -- Counted from 1970-01-01 (UTC). Rolls forward on first use and never back.
  day integer not null,
  -- Spent, and held by calls in progress, of the holds that were opened on that day.
  used_micros bigint not null default 0,
  cap_micros bigint not null default 10000000 check (cap_micros >= 0)
) with (fillfactor = 40);

create function inference_hold() returns trigger language plpgsql as $$
declare
  taken bigint; cap bigint;
begin
  -- The ordinary case by itself, because it is the cheapest statement there is.
  update inference_days set used_micros = used_micros + new.amount_micros
    where wallet_id = new.wallet_id and day = new.day and used_micros + new.amount_micros <= cap_micros;
  if found then return new; end if;
  -- A hold of a process whose clock lags counts in the newer day.
  insert into inference_days as present (wallet_id, day, used_micros) values (new.wallet_id, new.day, new.amount_micros)
    on conflict (wallet_id) do update set
      day = greatest(present.day, excluded.day),
      used_micros = excluded.used_micros + case when excluded.day > present.day then 0 else present.used_micros end
    returning used_micros, cap_micros into taken, cap;
  -- Refuses this hold alone: the ledger repeats a batch that fails for its data one call at a time.
  if taken > cap then raise 'wallet % would use % of % for language models today', new.wallet_id, taken, cap using errcode = 'TG429'; end if;
  return new;
end $$;
create trigger inference_hold before insert on holds for each row when (new.kind = 'llm') execute function inference_hold();

-- Every hold ends in one transaction, which tells what of it was spent.
create function inference_resolve() returns trigger language plpgsql as $$
begin
  update inference_days set used_micros = used_micros - (new.held_micros + new.amount_micros) where wallet_id = new.wallet_id and day = new.day;
  return null;
end $$;
create trigger inference_resolve after insert on transactions for each row when (new.kind = 'llm' and new.held_micros + new.amount_micros > 0) execute function inference_resolve();
