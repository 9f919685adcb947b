-- What a key sees and touches: what it made itself, or all of its account. Keys that exist keep the whole account. A primary
-- key manages the account, so it always has all of it.

alter table keys add column scope text not null default 'account' check (scope in ('own', 'account'));
alter table keys add constraint keys_primary_scope check (scope = 'account' or not is_primary);

-- The key that made it. Null for what was made before: keys of scope "own" do not see that. Jobs and compute sessions
-- have their key as `budget_id`, transactions and holds likewise.
alter table files add column key_id uuid;
alter table browser_sessions add column key_id uuid;
alter table consult_conversations add column key_id uuid;
alter table vendor_references add column key_id uuid;

-- Simulated vendors, and some real ones, give the same name to several keys of one account.
alter table vendor_references drop constraint vendor_references_pkey;
create unique index vendor_references_once on vendor_references (service, is_test, reference, account_id, key_id) nulls not distinct;
