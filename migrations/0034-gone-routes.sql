-- Routes that vendors no longer offer (src/calls/lanes/gone-routes.ts). Bounded by the catalog.
create table gone_routes (
  service text not null,
  action text not null,
  -- The path of a passthrough. Empty for other actions.
  endpoint text not null,
  lane text not null check (lane in ('vendor', 'open', 'wallet')),
  -- Names the vendor's settings; the host of a merchant.
  vendor text not null,
  -- The vendor's HTTP status and its words.
  status integer,
  message text,
  first_ms bigint not null,
  last_ms bigint not null,
  primary key (service, action, endpoint, lane, vendor)
);
