-- The key before the route, so that a call is found by its idempotency key alone.
alter table answers drop constraint answers_pkey;
alter table answers add primary key (account_id, idempotency_key, route);
