-- The host of a normalized web address, without its port.
create function url_host(url text) returns text language sql immutable as $$
  select rtrim(substring(url from '^https?://(?:[^/?#@]*@)?(\[[^]]*\]|[^:/?#]+)'), '.')
$$;
