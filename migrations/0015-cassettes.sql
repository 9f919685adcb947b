-- Recorded answers, which calls with the header X-Tollgate-Cassette replay. Times are Unix milliseconds.
create table cassettes (
  id uuid primary key,
  account_id uuid not null references accounts,
  -- The key of scope "own" that owns it. Null: it belongs to the account.
  key_id uuid,
  name text not null,
  -- The number of its recordings and their size.
  recordings integer not null default 0,
  bytes bigint not null default 0,
  created_ms bigint not null,
  recorded_ms bigint not null,
  expires_ms bigint not null,
  unique nulls not distinct (account_id, key_id, name)
);
create index cassettes_expiring on cassettes (expires_ms);

create table recordings (
  id uuid primary key,
  cassette_id uuid not null references cassettes on delete cascade,
  -- The digest of the route and the input, by which calls find the recording.
  match bytea not null,
  route text not null,
  -- Canonical JSON without secrets and without what does not change the answer.
  input text not null,
  status smallint not null,
  body text not null,
  -- The body is a stream of events.
  is_events boolean not null,
  -- The model of a completion.
  model text,
  charged_micros bigint not null,
  -- Recorded by a live key, so the answer is not simulated.
  is_live boolean not null,
  bytes integer not null,
  recorded_ms bigint not null,
  unique (cassette_id, match)
);
create index recordings_in_order on recordings (cassette_id, id);
