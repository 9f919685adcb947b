-- The server that a try occupies: a webhook, or the host and port of a job's webhook_url.
create function delivery_receiver(webhook uuid, url text) returns text language sql immutable as $$
  select coalesce(webhook::text, substring(url from '^https?://([^/?#]+)'), '')
$$;
