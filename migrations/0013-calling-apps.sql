-- The app that made a call of the router, as its headers HTTP-Referer and X-Title name it.
alter table transactions
  add column http_referer text,
  add column app_title text;
