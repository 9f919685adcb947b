-- What an account made at a vendor (a search, a crawl, a report) has a name there, and the vendor knows only the
-- operator's key. So that no account reads what another one paid for, each name is kept with the account that it was
-- given to.

create table vendor_references (
  service text not null,
  -- Simulated vendors give out the same names again and again, so the account is part of the key.
  is_test boolean not null,
  reference text not null,
  account_id uuid not null,
  made_ms bigint not null,
  primary key (service, is_test, reference, account_id)
);
create index vendor_references_by_account on vendor_references (account_id, service, made_ms desc);
create index vendor_references_by_age on vendor_references (made_ms);
