-- When the process of an in-house browser last reported it. Null for a session of the vendor. A process
-- that reports none for 20 seconds has ended, and its browsers with it.
alter table browser_sessions add column host_seen_ms bigint;
create index browser_sessions_in_house on browser_sessions (host_seen_ms) where not is_torn_down;
