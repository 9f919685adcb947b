-- Test keys may pay on test networks, out of wallets of their own. Their payments and their ceiling of the day are apart
-- from those of live keys.

alter table payments add column mode wallet_mode not null default 'live';
alter table payment_days add column mode wallet_mode not null default 'live';
alter table payment_days drop constraint payment_days_pkey, add primary key (mode, day);
