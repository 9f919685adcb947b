-- Programs that run side by side end in any order: of a machine's time, more is charged for than all that lies before a point.

alter table compute_sessions
  -- What of the machine's time is charged for, by its counters at both ends, as far back as a program that runs may have
  -- begun. It takes the place of charged_to, which a process of the version before still writes.
  add column charged_stretches jsonb not null default '[]';
