-- Payments by card that became credit, one row each: the card company tells of a payment again until it is heard.

create table card_payments (
  reference text primary key,
  account_id uuid not null references accounts (id),
  transaction_id uuid not null,
  amount_micros bigint not null check (amount_micros > 0),
  credited_at timestamptz not null
);
