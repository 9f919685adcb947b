-- An id as callers see it, such as job_0192….
create function public_id(prefix text, id uuid) returns text language sql immutable as $$
  select prefix || '_' || replace(id::text, '-', '')
$$;
