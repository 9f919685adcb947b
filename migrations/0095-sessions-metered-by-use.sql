-- Sessions that cost what their programs use in place of the time that they are open. Their hold covers one program at a
-- time and is replaced whenever one has ended; between programs nothing is used.

alter table compute_sessions
  -- Micro-dollars for one CPU that is busy for an hour, and for a gigabyte of memory in use for one; null: metered by time.
  add column cpu_hour_micros bigint check (cpu_hour_micros > 0),
  add column gigabyte_hour_micros bigint check (gigabyte_hour_micros > 0),
  -- The amount of the present hold; none once it is closed.
  add column held_micros bigint,
  -- What of the machine's time is charged for, by its own counters at both ends, as far back as a program that runs may have
  -- begun: programs that run side by side end in any order.
  add column charged_stretches jsonb not null default '[]',
  -- When programs began, in Unix milliseconds, of which nobody has heard the end.
  add column running jsonb not null default '[]',
  -- A process of the version before would settle such a session by time, and close it so: its commit fails.
  add constraint compute_sessions_meter check ((cpu_hour_micros is null) = (gigabyte_hour_micros is null) and (cpu_hour_micros is not null and closed_ms is null) = (held_micros is not null));
