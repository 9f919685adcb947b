-- What the card company took back of payments, and what their accounts have given back of it: the rest is owed.

alter table card_payments
  -- What refunds and disputes name.
  add column intent text unique,
  add column reversed_micros bigint not null default 0,
  add column taken_back_micros bigint not null default 0,
  add constraint at_most_what_was_paid check (reversed_micros between 0 and amount_micros and taken_back_micros between 0 and amount_micros);
create index card_payments_owed on card_payments (reference) where reversed_micros > taken_back_micros;

create table card_reversals (
  -- The charge, for all its refunds together; or a dispute.
  reference text primary key,
  payment text not null references card_payments (reference),
  reversed_micros bigint not null check (reversed_micros >= 0),
  -- A dispute that was won: what is told of it later is old.
  is_final boolean not null
);
create index card_reversals_of_payment on card_reversals (payment);
