alter table keys add column scope text not null default 'account' check (scope in ('own', 'account'));
alter table keys add constraint keys_primary_scope check (scope = 'account' or not is_primary);

alter table files add column key_id uuid;
alter table browser_sessions add column key_id uuid;
alter table consult_conversations add column key_id uuid;
alter table vendor_references add column key_id uuid;

alter table vendor_references drop constraint vendor_references_pkey;
create unique index vendor_references_once on vendor_references (service, is_test, reference, account_id, key_id) nulls not distinct;
