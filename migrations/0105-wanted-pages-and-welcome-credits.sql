-- The page that somebody wanted who asked for a link: it leads there. Empty: they named none.
alter table sign_in_links add column next text not null default '';
