-- When a vendor is next told that a session has ended, or asked for the machine of an order whose answer was lost: one
-- process at a time does so, and none without a pause.

alter table compute_sessions add column tell_at_ms bigint not null default 0;
