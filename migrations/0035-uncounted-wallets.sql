-- Wallets whose newest transactions may not be in the totals, so that the chore that counts them
-- (src/operate/totals) reads no others. The transaction that posts also marks its wallet, if its
-- process has not done so within half a minute.
create table uncounted_wallets (
  wallet_id bigint primary key,
  -- The database transaction of the last mark.
  marked_by xid8 not null
);
