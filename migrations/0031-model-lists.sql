-- The models that each upstream offers and what they cost, as last fetched: a gateway that starts while an upstream is
-- away knows the prices, and several processes ask for them once.
create table model_lists (
  -- Base address of the upstream.
  address text primary key,
  fetched_ms bigint not null,
  models jsonb not null
);
