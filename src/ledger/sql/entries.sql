-- Both sides of every transfer. They sum to zero.
create view entries as
  select id as transaction_id, 'wallet:' || wallet_id as book, amount_micros from transactions
  union all
  select id, book, -amount_micros from transactions;
