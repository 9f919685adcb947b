alter table accounts add column is_house boolean not null default false;
create unique index accounts_one_house on accounts (is_house) where is_house;

update accounts set is_house = true
  where lower(email) = 'anonymous-buyers@house.invalid' and not is_owner
    and exists (select from wallets where account_id = accounts.id and mode = 'live') and exists (select from budgets where budgets.id = accounts.id)
    and not exists (select from keys where account_id = accounts.id)
    and not exists (select from account_passwords where account_id = accounts.id)
    and not exists (select from passkeys where account_id = accounts.id)
    and not exists (select from account_identities where account_id = accounts.id);
