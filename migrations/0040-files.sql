-- Files of accounts. Room is taken when a slot is made and given back when its row goes, so the room used is always the
-- sum of the rows, whether their bytes are there or still awaited.

create table file_room (
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  used_bytes bigint not null check (used_bytes >= 0),
  primary key (account_id, mode)
) with (fillfactor = 40);

create table files (
  id uuid primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  filename text not null,
  mime text not null,
  tags text[] not null,
  note text,
  -- What made it: "upload", "url", or the action whose output it is.
  source text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  -- While the bytes are awaited: what they must hash to, if that was said. Afterwards: what they do.
  sha256 bytea check (octet_length(sha256) = 32),
  -- Where the store has the bytes. Null while they are awaited: then there is a slot and no file.
  object_key text unique,
  created_at timestamptz not null,
  check (object_key is null or sha256 is not null)
);
create index files_stored on files (account_id, mode, id desc) where object_key is not null;
create index files_awaited on files (id) where object_key is null;

-- Objects that the store may have and that belong to no file: being written, or to be removed. A key stands here before
-- its first byte is written and until its last one is gone, so nothing in the store is ever forgotten.
create table loose_objects (
  key text primary key,
  due_at timestamptz not null
);
create index loose_objects_by_due on loose_objects (due_at);

-- Secrets that all processes share, made by the first that needs one.
create table shared_secrets (
  purpose text primary key,
  secret bytea not null
);
