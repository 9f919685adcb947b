-- One automatic top-up reaches the threshold, so that a low balance charges the card once.
update auto_topups set threshold_micros = amount_micros where threshold_micros > amount_micros;
alter table auto_topups add constraint one_payment_reaches_the_threshold check (threshold_micros <= amount_micros);
