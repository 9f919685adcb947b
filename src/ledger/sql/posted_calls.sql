-- The columns of a transaction that the resolution of a call writes. The descriptive columns are
-- last, in the order of call_attributes, so a resolution inserts them as `attributes.*`.
create view posted_calls as
  select id, wallet_id, sequence, budget_id, day, kind, status,
    held_micros, amount_micros, balance_after_micros, book, latency_ms, error_code, hops,
    service, action, external_id, http_referer, app_title, price_id, surface
  from transactions;
