-- Keys that keys create. A call counts in the budget of its key and in those of all keys above it.
-- `ancestors` begins with the topmost budget and ends with `parent_id`; both never change.
alter table budgets
  add column parent_id uuid,
  add column ancestors uuid[] not null default '{}',
  -- All spending of the budget, for limits that never reset.
  add column total_spent bigint not null default 0,
  add column total_held bigint not null default 0;

alter domain budget_period drop constraint budget_period_check;
alter domain budget_period
  add constraint budget_period_check check (value in ('day', 'week', 'month', 'total'));

update budgets set total_spent = spent
  from (
    select budget_id, sum(-amount_micros)::bigint as spent
    from transactions where budget_id is not null group by budget_id
  ) as sums
  where id = budget_id;
update budgets set total_held = held
  from (
    select budget_id, sum(amount_micros)::bigint as held
    from holds where budget_id is not null group by budget_id
  ) as sums
  where id = budget_id;

alter table budgets
  drop constraint budgets_held_not_negative,
  add constraint budgets_held_not_negative
    check (least(day_held, week_held, month_held, total_held) >= 0);

create index budgets_open_children on budgets (parent_id)
  where parent_id is not null and state <> 'closed';

alter table keys
  add column parent_id uuid references keys,
  -- The key may create keys below it.
  add column may_mint boolean not null default false,
  -- When the key was revoked. Expired keys are closed without it.
  add column revoked_at timestamptz;
create index keys_by_parent on keys (parent_id, id desc) where parent_id is not null;
