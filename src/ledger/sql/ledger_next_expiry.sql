-- Updates the wallet's next expiry from its open lots.
create function ledger_next_expiry(wallet bigint) returns void language sql as $$
  update wallets set next_expiry_at = (
    select min(expires_at) from open_lots where wallet_id = wallet and not expired
  ) where id = wallet
$$;
