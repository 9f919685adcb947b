alter table payments add column mode wallet_mode not null default 'live';
alter table payment_days add column mode wallet_mode not null default 'live';
alter table payment_days drop constraint payment_days_pkey, add primary key (mode, day);
