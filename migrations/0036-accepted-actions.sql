-- The hash of the own actions and prices that a process accepted last (ACTIONS_DIR, PRICES_FILE).
-- A process whose files have another hash keeps its own and reports the difference.
create table accepted_actions (
  is_only boolean primary key default true check (is_only),
  -- Empty after a start without any file.
  hash text not null,
  accepted_ms bigint not null
);
