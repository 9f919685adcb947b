-- Payments to merchants of the caller's own choice (POST /api/fetch). The caller may be the merchant, so such a payment is
-- charged in the commit that precedes its sending, and only from credit that was not granted.

-- What was charged for a payment when it was signed, and to which wallet. Null for catalog merchants, whose calls settle later.
alter table payments add column charged_wallet bigint;
alter table payments add constraint charged_once_signed check (charged_wallet is null or status in ('signed', 'paid', 'unknown', 'resolved'));
-- The charged call has claimed an idempotency key and its response is not stored yet.
alter table payments add column awaits_answer boolean not null default false;
create index payments_awaiting_answer on payments (deadline_ms) where awaits_answer;

-- The part of a day's outflow that went to merchants of the callers' choice.
alter table payments add column chosen_by_caller boolean not null default false;
update payments set chosen_by_caller = true where service = 'web' and action = 'fetch';
alter table payment_days add column chosen_micros bigint not null default 0;
update payment_days set chosen_micros = sums.total
  from (select day, sum(amount_micros) as total from payments where chosen_by_caller and status <> 'unsigned' and resolution is distinct from 'unpaid' group by day) as sums
  where sums.day = payment_days.day;
alter table payment_days add constraint chosen_within_outflow check (chosen_micros between 0 and outflow_micros);

-- What is left of the credit that was not granted, at this moment: calls use up grants first.
create function ledger_bought(wallet bigint) returns bigint language sql stable as $$
  select greatest(0, coalesce(sum(remaining_micros) filter (where source <> 'grant'), 0)
    - greatest(0, wallets.spent_micros - wallets.lots_counted_micros - coalesce(sum(remaining_micros) filter (where source = 'grant'), 0)))::bigint
  from wallets left join open_lots on wallet_id = wallets.id where wallets.id = wallet group by wallets.id
$$;

-- Uses up bought lots, the oldest first, ahead of a charge of the same amount in the same transaction. Until that charge is
-- posted, more is counted than was spent.
create function ledger_use_bought(wallet bigint, amount bigint) returns void language plpgsql as $$
begin
  perform from wallets where id = wallet for update;
  perform ledger_count_lots(wallet);
  update lots set remaining_micros = remaining_micros - least(remaining_micros, greatest(0, amount - before))
  from (
    select id, (sum(remaining_micros) over (order by place) - remaining_micros)::bigint as before from open_lots where wallet_id = wallet and source <> 'grant'
  ) as line where lots.id = line.id;
  update wallets set lots_counted_micros = lots_counted_micros + amount where id = wallet;
end $$;

create or replace function ledger_count_lots(wallet bigint) returns void language plpgsql as $$
declare
  spent bigint;
begin
  select spent_micros - lots_counted_micros into spent from wallets where id = wallet;
  -- Below zero: lots were used up for a charge that this transaction posts next.
  if spent <= 0 then return; end if;
  update lots set remaining_micros = remaining_micros - least(remaining_micros, greatest(0, spent - before))
  from (
    select id, (sum(remaining_micros) over (order by place) - remaining_micros)::bigint as before from open_lots where wallet_id = wallet
  ) as line where lots.id = line.id;
  update wallets set lots_counted_micros = spent_micros where id = wallet;
end $$;

-- As before, and an adjustment takes bought credit first: it stands for money that was paid back, which no grant brought.
create or replace function ledger_credit(
  now_ms bigint, transaction_id uuid, wallet bigint, transaction_kind text, book text, amount bigint, expires timestamptz, external text
) returns bigint language plpgsql as $$
declare
  after bigint;
begin
  perform from wallets where id = wallet for update;
  if exists (select from transactions where wallet_id = wallet and id = transaction_id) then return null; end if;
  -- An adjustment must not take what has expired, nor a new lot be used up by what was spent before it.
  perform ledger_expire_lots(wallet, now_ms);
  if amount < 0 then perform ledger_use_bought(wallet, least(-amount, ledger_bought(wallet))); end if;
  update wallets set balance_micros = balance_micros + amount, posted = posted + 1, spent_micros = spent_micros + greatest(-amount, 0)
    where id = wallet returning balance_micros into strict after;
  if amount > 0 then
    insert into lots (id, wallet_id, source, amount_micros, remaining_micros, expires_at, created_at)
      values (transaction_id, wallet, transaction_kind, amount, amount, expires, to_timestamp(now_ms / 1000.0));
  end if;
  insert into transactions (id, wallet_id, sequence, day, kind, status, held_micros, amount_micros, balance_after_micros, book, external_id)
    select transaction_id, wallet, posted, now_ms / 86400000, transaction_kind, 'settled', 0, amount, after, ledger_credit.book, external from wallets where id = wallet;
  perform ledger_next_expiry(wallet);
  return after;
end $$;
