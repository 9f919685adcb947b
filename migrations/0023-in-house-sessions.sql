-- Sessions on the gateway's machine cost their CPU time alone.
alter table compute_sessions drop constraint compute_sessions_gigabyte_hour_micros_check;
alter table compute_sessions
  add constraint compute_sessions_gigabyte_hour_micros_check check (gigabyte_hour_micros >= 0);
-- The excess that rounding up has charged, in micro-dollars times 3,600,000,000 times 2^30. The
-- next program costs that much less, so that many short programs are not rounded up one by one.
alter table compute_sessions add column prepaid_parts bigint not null default 0;
