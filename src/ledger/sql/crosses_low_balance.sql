-- Whether a charge took a balance below the low-balance amount, or below one cent, the least amount
-- that pages show. The balance is the one after the charge. PostgreSQL inlines the function. Most
-- charges end at the first comparison, which no charge fails that crosses an amount.
create function crosses_low_balance(balance bigint, low bigint, charge bigint)
returns boolean language sql immutable as $$
  select balance < greatest(low, 1000000) and charge > 0 and (
    balance < coalesce(low, 1000000) and balance + charge >= coalesce(low, 1000000)
    or balance < 10000 and balance + charge >= 10000
  )
$$;
