-- Finished searches of emailasync that the gateway does itself (src/composites/emails).
create table email_searches (
  id uuid primary key,
  account_id uuid not null,
  kind text not null check (kind in ('email-search', 'domain-scan', 'email-verification')),
  item jsonb not null,
  created_ms bigint not null
);
create index email_searches_of_account on email_searches (account_id, created_ms desc);
create index email_searches_by_age on email_searches (created_ms);
