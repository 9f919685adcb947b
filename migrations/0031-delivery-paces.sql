-- The rates of deliveries (src/events/sql/take_pace.sql). A lane is the host
-- of an address, or a kind of work such as 'free'; account_id zero is all accounts of a host.
create table delivery_paces (
  lane text not null,
  account_id uuid not null,
  -- The lane's places are taken until then, in steps of its interval.
  busy_until_ms bigint not null,
  -- When a server at this host first answered a delivery of the account with 2xx.
  proved_ms bigint,
  primary key (lane, account_id)
);
create index delivery_paces_of_account on delivery_paces (account_id);
create index delivery_paces_unused on delivery_paces (busy_until_ms);

-- Webhooks from before this version count as proved. The pattern is that of url_host.
insert into delivery_paces (lane, account_id, busy_until_ms, proved_ms)
  select distinct rtrim(substring(url from '^https?://(?:[^/?#@]*@)?(\[[^]]*\]|[^:/?#]+)'), '.'),
    account_id, floor(extract(epoch from now()) * 1000)::bigint, floor(extract(epoch from now()) * 1000)::bigint
  from webhooks where url is not null;
