-- Email inboxes at the gateway's own domain. src/resources/inboxes/README.md describes them.
create table inboxes (
  address text primary key check (address = lower(address)),
  account_id uuid not null references accounts,
  -- The key that created it.
  key_id uuid,
  display_name text,
  created_at timestamptz not null,
  -- The size of its received messages.
  stored_bytes bigint not null default 0 check (stored_bytes >= 0)
);
create index inboxes_by_account on inboxes (account_id);

create table inbox_messages (
  id uuid primary key,
  inbox text not null references inboxes on delete cascade,
  account_id uuid not null,
  key_id uuid,
  -- A sent message is 'sending' until the relay has answered, and 'unknown' when its answer was lost.
  status text not null check (status in ('received', 'sending', 'sent', 'unknown', 'rejected')),
  message_id text not null,
  thread_id uuid not null,
  -- Of a received message: the same message is stored once, however often it is delivered.
  content_hash bytea check (octet_length(content_hash) = 32),
  sender text not null,
  recipients text[] not null,
  cc text[] not null default '{}',
  reply_to text[] not null default '{}',
  subject text not null,
  body_text text,
  body_html text,
  in_reply_to text,
  reference_ids text[] not null default '{}',
  -- Results of SPF, DKIM and DMARC.
  authentication jsonb,
  -- Written by a program, by its header fields.
  is_automatic boolean not null default false,
  attachments jsonb not null default '[]',
  -- Recipients of a sent message that were not reached, with the reasons.
  bounces jsonb not null default '[]',
  size_bytes bigint not null,
  -- The hash of the idempotency key of the call that sends it.
  send_key bytea check (octet_length(send_key) = 32),
  created_at timestamptz not null,
  check ((status = 'received') = (content_hash is not null)),
  unique (inbox, message_id)
);
create index inbox_messages_listed on inbox_messages (inbox, id desc);
create unique index inbox_messages_once on inbox_messages (inbox, content_hash)
  where content_hash is not null;
create unique index inbox_messages_sent_once on inbox_messages (account_id, send_key)
  where send_key is not null;
create index inbox_messages_sent on inbox_messages (account_id, id) where status <> 'received';
create index inbox_messages_by_age on inbox_messages (created_at);
