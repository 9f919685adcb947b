-- Calls that are bought without an account, each with a payment of its own. The row is written before the payment is
-- taken, under what makes the payment one of a kind, so that it buys once. The money becomes credit of the account
-- that stands for all anonymous buyers; the call is then charged to it like any other.

create table sales (
  payment_key text primary key,
  -- The transaction of the credit.
  id uuid not null unique,
  route text not null,
  -- SHA-256 of the request's body: the payment is for this request alone.
  fingerprint text not null,
  method text not null,
  amount_micros bigint not null check (amount_micros > 0),
  -- settling: being taken. settled: taken and credited. unknown: nobody knows whether it was taken.
  status text not null check (status in ('settling', 'settled', 'unknown')),
  reference text,
  receipt_headers json,
  reason text,
  created_ms bigint not null
);
create index sales_underway on sales (created_ms) where status = 'settling';
create index sales_unknown on sales (id) where status = 'unknown';
