-- How well each page reader did on a host lately, for all processes: the next page of the host starts with the better one.
-- A hint and no record: it is read and written beside the way of a call, and forgetting it costs one detour.

create table page_yields (
  host text not null,
  provider text not null,
  -- A running average from 0 (walls) to 1 (whole pages).
  yield real not null,
  updated_ms bigint not null,
  primary key (host, provider)
);
