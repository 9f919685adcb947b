-- PostgreSQL parses the checks of a table again in every statement that writes it. It prepares those
-- of a domain once, and checks them only when the column changes. A domain that gets its constraint
-- after its columns needs no rewrite of the tables.
create domain held_amount as bigint;
alter table budgets
  drop constraint budgets_held_not_negative,
  alter column day_held type held_amount,
  alter column week_held type held_amount,
  alter column month_held type held_amount,
  alter column total_held type held_amount;
alter domain held_amount add constraint held_not_negative check (value >= 0);

create domain hold_amount as bigint;
alter table holds
  drop constraint holds_amount_micros_check,
  alter column amount_micros type hold_amount;
alter domain hold_amount add constraint hold_positive check (value > 0);

create domain low_balance as bigint;
alter table wallets
  drop constraint wallets_low_balance_micros_check,
  alter column low_balance_micros type low_balance;
alter domain low_balance add constraint low_balance_not_negative check (value >= 0);
