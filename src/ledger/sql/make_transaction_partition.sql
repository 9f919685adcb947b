-- Creates the partition of a month, ahead of time. Rows of a month without one are in the default
-- partition, and then the month stays there.
create function make_transaction_partition(month date) returns void language plpgsql as $$
declare
  first_of_month date := date_trunc('month', month);
  name text := 'transactions_' || to_char(month, 'YYYY_MM');
  -- The smallest version 7 id of a moment: 48 bits of milliseconds, then zeros.
  lower_id uuid := (lpad(to_hex((
    extract(epoch from first_of_month::timestamp) * 1000
  )::bigint), 12, '0') || repeat('0', 20))::uuid;
  upper_id uuid := (lpad(to_hex((
    extract(epoch from (first_of_month + interval '1 month')::timestamp) * 1000
  )::bigint), 12, '0') || repeat('0', 20))::uuid;
begin
  if to_regclass(name) is null and not exists (
    select from transactions_default where id >= lower_id and id < upper_id
  ) then
    execute format(
      'create table if not exists %I partition of transactions for values from (%L) to (%L)',
      name, lower_id, upper_id
    );
  end if;
end $$;
