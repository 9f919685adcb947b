-- People see the browsers that are signed in, and end their sessions.
alter table page_sessions
  -- Such as "Firefox on Windows"; null before the first page.
  add column browser text,
  -- To within ten minutes; null before the first page.
  add column last_used_at timestamptz;

-- The account that a link of an operator opens.
alter table sign_in_links add column account_id uuid references accounts on delete cascade;
