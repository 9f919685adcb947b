-- The machine and the process of an in-house browser, as "machine-process". Null for a vendor's session.
alter table browser_sessions add column host text;
