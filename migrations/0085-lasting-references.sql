-- An inbox or a repository was bought once and is kept for years; a crawl is of no use after three months. What lasts is
-- never forgotten, so that it stays its buyer's.

alter table vendor_references add column lasts boolean not null default false;

drop index vendor_references_by_age;
create index vendor_references_by_age on vendor_references (made_ms) where not lasts;
