-- The history of a wallet is read along its primary key (wallet_id, id), newest first. These serve the filters whose
-- rows are few among many. Ordinary settled calls are in neither, so a call pays nothing for them.

create index transactions_released on transactions (wallet_id, id) where status = 'released';
create index transactions_by_rare_kind on transactions (wallet_id, kind, id) where kind <> 'call' and kind <> 'llm';
