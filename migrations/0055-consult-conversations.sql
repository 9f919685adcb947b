-- What core/consult remembers between the turns of a conversation: a few sentences and the call in question. Forgotten
-- a day after the last turn.

create table consult_conversations (
  id uuid primary key,
  account_id uuid not null references accounts,
  mode wallet_mode not null,
  state json not null,
  used_ms bigint not null
);
create index consult_conversations_by_use on consult_conversations (used_ms);
