-- What an account may spend on language models in a day is capped, besides its balance and its keys' ceilings. A hold
-- names one budget, its key's; so this second limit is kept by triggers, in the very commits that open and resolve holds.
-- No process and no sweep can forget it. Other kinds of call do not reach the triggers' bodies. Every hold and resolution
-- locks its wallet first, so a wallet's row here is never fought over.

create table inference_days (
  wallet_id bigint primary key references wallets,
  -- The day (UTC, counted from 1970-01-01) in which `spent_micros` was spent.
  day integer not null,
  spent_micros bigint not null default 0,
  -- All open holds, of whatever day: one that was open at midnight takes room of the new day until it is resolved.
  held_micros bigint not null default 0 check (held_micros >= 0),
  cap_micros bigint not null default 10000000 check (cap_micros >= 0)
) with (fillfactor = 40);

create function inference_hold() returns trigger language plpgsql as $$
declare
  taken bigint; cap bigint;
begin
  insert into inference_days as today (wallet_id, day, held_micros) values (new.wallet_id, new.day, new.amount_micros)
    on conflict (wallet_id) do update set
      day = greatest(today.day, excluded.day),
      spent_micros = case when excluded.day > today.day then 0 else today.spent_micros end,
      held_micros = today.held_micros + excluded.held_micros
    returning spent_micros + held_micros, cap_micros into taken, cap;
  -- Refuses this hold alone: the ledger repeats a batch that fails for its data one call at a time.
  if taken > cap then raise 'wallet % would spend % of % on language models today', new.wallet_id, taken, cap using errcode = 'TG429'; end if;
  return new;
end $$;
create trigger inference_hold before insert on holds for each row when (new.kind = 'llm') execute function inference_hold();

create function inference_release() returns trigger language plpgsql as $$
begin
  update inference_days set held_micros = held_micros - old.amount_micros where wallet_id = old.wallet_id;
  return null;
end $$;
create trigger inference_release after delete on holds for each row when (old.kind = 'llm') execute function inference_release();

create function inference_spend() returns trigger language plpgsql as $$
begin
  update inference_days set spent_micros = spent_micros - new.amount_micros where wallet_id = new.wallet_id and day = new.day;
  return null;
end $$;
create trigger inference_spend after insert on transactions for each row when (new.kind = 'llm' and new.amount_micros < 0) execute function inference_spend();
