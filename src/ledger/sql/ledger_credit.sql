-- Posts a transfer between a wallet and a book that no call makes. A negative amount takes credit
-- away, bought credit first, because it stands for money that was paid back.
-- Returns the balance, or null if the id was posted before: a repetition changes nothing.
create function ledger_credit(
  now_ms bigint, transaction_id uuid, wallet bigint,
  transaction_kind text, book text, amount bigint, expires timestamptz, external text
) returns bigint language plpgsql as $$
declare
  after bigint;
begin
  perform from wallets where id = wallet for update;
  if exists (select from transactions where wallet_id = wallet and id = transaction_id) then
    return null;
  end if;
  -- Before the amount changes anything: an adjustment must not take expired credit, and earlier
  -- charges must not use up a new lot.
  perform ledger_expire_lots(wallet, now_ms);
  if amount < 0 then
    perform ledger_use_bought(wallet, least(-amount, ledger_bought(wallet)));
  end if;
  update wallets
    set balance_micros = balance_micros + amount, posted = posted + 1,
      spent_micros = spent_micros + greatest(-amount, 0)
    where id = wallet returning balance_micros into strict after;
  if amount > 0 then
    insert into lots (
      id, wallet_id, source, amount_micros, remaining_micros, expires_at, created_at
    ) values (
      transaction_id, wallet, transaction_kind, amount, amount, expires,
      to_timestamp(now_ms / 1000.0)
    );
  end if;
  insert into transactions (
    id, wallet_id, sequence, day, kind, status,
    held_micros, amount_micros, balance_after_micros, book, external_id
  )
    select transaction_id, wallet, posted, now_ms / 86400000, transaction_kind, 'settled',
      0, amount, after, ledger_credit.book, external
    from wallets where id = wallet;
  perform ledger_next_expiry(wallet);
  perform mark_uncounted(array[wallet]);
  return after;
end $$;
