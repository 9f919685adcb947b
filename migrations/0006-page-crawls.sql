-- Crawls that the gateway does itself (src/composites/crawls). A worker holds a crawl until lease_ms
-- (Unix milliseconds); after that another one continues it.
create table page_crawls (
  id uuid primary key,
  account_id uuid not null,
  key_id uuid,
  mode text not null check (mode in ('live', 'test')),
  service text not null,
  input jsonb not null,
  status text not null default 'scraping' check (status in ('scraping', 'completed', 'failed')),
  worker uuid,
  lease_ms bigint not null default 0,
  created_ms bigint not null,
  deadline_ms bigint not null
);
create index page_crawls_waiting on page_crawls (lease_ms) where status = 'scraping';
create index page_crawls_of_account on page_crawls (account_id, mode) where status = 'scraping';
create index page_crawls_by_age on page_crawls (created_ms);

-- The pages of a crawl in the order in which they were found.
create table page_crawl_pages (
  crawl_id uuid not null references page_crawls on delete cascade,
  place integer not null,
  url text not null,
  depth integer not null,
  state text not null default 'waiting' check (state in ('waiting', 'read', 'failed')),
  attempts integer not null default 0,
  document jsonb,
  bytes integer not null default 0,
  primary key (crawl_id, place),
  unique (crawl_id, url)
);
