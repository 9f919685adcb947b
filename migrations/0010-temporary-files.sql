-- When the file is deleted. Null for files that stay until their owner deletes them.
alter table files add column expires_at timestamptz;
create index files_expiring on files (expires_at) where expires_at is not null;
