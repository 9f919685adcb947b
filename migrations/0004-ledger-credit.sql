-- Credit coming in and running out. Rare beside calls, so written for plainness.

-- Uses up lots by what was spent since they were last counted. Between two counts the set of open lots does not
-- change, so "the earliest expiry first" has one answer.
create function ledger_count_lots(wallet bigint) returns void language plpgsql as $$
declare
  spent bigint;
begin
  select spent_micros - lots_counted_micros into spent from wallets where id = wallet;
  if spent = 0 then return; end if;
  update lots set remaining_micros = remaining_micros - least(remaining_micros, greatest(0, spent - before))
  from (
    select id, (sum(remaining_micros) over (order by place) - remaining_micros)::bigint as before from open_lots where wallet_id = wallet
  ) as line where lots.id = line.id;
  update wallets set lots_counted_micros = spent_micros where id = wallet;
end $$;

create function ledger_next_expiry(wallet bigint) returns void language sql as $$
  update wallets set next_expiry_at = (select min(expires_at) from open_lots where wallet_id = wallet and not expired) where id = wallet
$$;

-- Posts a transfer between a wallet and a book outside of calls. Below zero takes credit away.
-- Null when the id was posted before: a repeat changes nothing.
create function ledger_credit(
  now_ms bigint, transaction_id uuid, wallet bigint, transaction_kind text, book text, amount bigint, expires timestamptz, external text
) returns bigint language plpgsql as $$
declare
  after bigint;
begin
  perform from wallets where id = wallet for update;
  if exists (select from transactions where wallet_id = wallet and id = transaction_id) then return null; end if;
  -- An adjustment must not take what has expired, nor a new lot be used up by what was spent before it.
  perform ledger_expire_lots(wallet, now_ms);
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

-- Takes back what is left of granted lots whose time is up. What open holds would use of a lot is left to them for good.
create function ledger_expire_lots(wallet bigint, now_ms bigint) returns void language plpgsql as $$
declare
  lot open_lots;
  held bigint;
  kept bigint;
begin
  select held_micros into strict held from wallets where id = wallet for update;
  perform ledger_count_lots(wallet);
  for lot in select * from open_lots where wallet_id = wallet order by place loop
    kept := least(lot.remaining_micros, held);
    held := held - kept;
    continue when lot.expired or lot.expires_at is null or lot.expires_at > to_timestamp(now_ms / 1000.0);
    update lots set remaining_micros = kept, expired = true where id = lot.id;
    continue when kept = lot.remaining_micros;
    update wallets set balance_micros = balance_micros - (lot.remaining_micros - kept), posted = posted + 1 where id = wallet;
    insert into transactions (id, wallet_id, sequence, day, kind, status, held_micros, amount_micros, balance_after_micros, book)
      select (lpad(to_hex(now_ms), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
        wallet, posted, now_ms / 86400000, 'adjustment', 'settled', 0, kept - lot.remaining_micros, balance_micros, 'expired_grants' from wallets where id = wallet;
  end loop;
  perform ledger_next_expiry(wallet);
end $$;
