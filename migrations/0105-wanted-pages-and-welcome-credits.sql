-- The page that somebody wanted who asked for a link: it leads there. Empty: they named none.
alter table sign_in_links add column next text not null default '';

-- How many accounts that strangers made were given welcome credit, on the last day (UTC, counted from 1970) on which any
-- was. One row, so that whoever gives one waits for whoever gives another, in every process.
create table welcome_credits (
  is_only boolean primary key default true check (is_only),
  day integer not null,
  given integer not null
);
insert into welcome_credits (day, given) values (0, 0);
