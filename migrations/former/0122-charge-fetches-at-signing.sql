alter table payments add column charged_wallet bigint;
alter table payments add constraint charged_once_signed check (charged_wallet is null or status in ('signed', 'paid', 'unknown', 'resolved'));
alter table payments add column awaits_answer boolean not null default false;
create index payments_awaiting_answer on payments (deadline_ms) where awaits_answer;

alter table payments add column chosen_by_caller boolean not null default false;
update payments set chosen_by_caller = true where service = 'web' and action = 'fetch';
alter table payment_days add column chosen_micros bigint not null default 0;
update payment_days set chosen_micros = sums.total
  from (select day, sum(amount_micros) as total from payments where chosen_by_caller and status <> 'unsigned' and resolution is distinct from 'unpaid' group by day) as sums
  where sums.day = payment_days.day;
alter table payment_days add constraint chosen_within_outflow check (chosen_micros between 0 and outflow_micros);
