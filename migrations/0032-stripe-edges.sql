-- One automatic top-up reaches the threshold, so that a low balance charges the card once.
update auto_topups set threshold_micros = amount_micros where threshold_micros > amount_micros;
alter table auto_topups add constraint one_payment_reaches_the_threshold check (threshold_micros <= amount_micros);

-- The time of the event (Unix seconds), because events of a charge arrive in any order.
alter table card_reversals add column as_of_s bigint not null default 0;

-- Refunds that the bank returned. A later total of the charge no longer contains them.
create table card_failed_refunds (
  reference text primary key,
  payment text not null references card_payments (reference),
  amount_micros bigint not null check (amount_micros > 0),
  at_s bigint not null
);
create index card_failed_refunds_of_payment on card_failed_refunds (payment);

-- Events about this gateway's money that are not booked.
create table kept_card_events (
  id text primary key,
  type text not null,
  account text,
  intent text,
  -- In the smallest unit of the currency.
  amount bigint,
  currency text,
  -- A reversal that waits for its payment. Null: an event for the operator.
  reversal json,
  -- False: the payment may belong to another shop with the same Stripe account.
  is_ours boolean not null,
  kept_ms bigint not null
);
create index kept_card_events_of_intent on kept_card_events (intent) where reversal is not null;
create index kept_card_events_by_time on kept_card_events (kept_ms);
