-- People sign in; accounts have members. The holder of an account becomes its owner, under the same id.

create table people (
  id uuid primary key,
  email text not null,
  created_at timestamptz not null
);
-- One mailbox is one person, so that of two concurrent sign-ups only one creates an account.
create unique index people_email on people (lower(email));

create table members (
  account_id uuid not null references accounts,
  person_id uuid not null references people,
  role text not null check (role in ('owner', 'billing', 'developer', 'viewer')),
  joined_at timestamptz not null,
  -- The last sign-in, or change to this account, of a browser.
  last_seen_at timestamptz,
  primary key (account_id, person_id)
);
create index members_by_person on members (person_id);

-- Erased accounts have no holder.
insert into people (id, email, created_at)
  select id, email, created_at from accounts
  where not is_house and email not like 'acc\_%@erased.invalid';
insert into members (account_id, person_id, role, joined_at)
  select id, id, 'owner', created_at from people;

create table invitations (
  id uuid primary key,
  account_id uuid not null references accounts,
  token_hash bytea not null unique,
  -- Null: for the person who opens the link.
  email text,
  -- The link reached only this mailbox, or the operator vouches for the address.
  proves_email boolean not null,
  role text not null check (role in ('owner', 'billing', 'developer', 'viewer')),
  invited_by uuid references people on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint invitations_prove_an_address check (email is not null or not proves_email)
);
create index invitations_by_account on invitations (account_id, id desc);

-- Sign-in methods belong to people.
alter table account_passwords rename to person_passwords;
alter table account_identities rename to person_identities;
alter index account_identities_pkey rename to person_identities_pkey;
alter index account_identities_by_account rename to person_identities_by_person;
alter index passkeys_by_account rename to passkeys_by_person;

alter table person_passwords rename column account_id to person_id;
alter table person_passwords drop constraint account_passwords_account_id_fkey;
alter table person_passwords add foreign key (person_id) references people;
alter table passkeys rename column account_id to person_id;
alter table passkeys drop constraint passkeys_account_id_fkey;
alter table passkeys add foreign key (person_id) references people;
alter table person_identities rename column account_id to person_id;
alter table person_identities drop constraint account_identities_account_id_fkey;
alter table person_identities add foreign key (person_id) references people;

-- A person adds a passkey; an account grants access to a client.
alter table sign_in_challenges drop constraint sign_in_challenges_account_id_fkey;
alter table sign_in_challenges rename column account_id to owner_id;

-- A session of a person shows one of their accounts.
alter table page_sessions add column person_id uuid references people;
update page_sessions set person_id = account_id where account_id is not null;
alter table page_sessions drop constraint page_sessions_one_holder;
alter table page_sessions add constraint page_sessions_one_holder
  check ((secret_hash is null) <> (person_id is null) and (person_id is null) = (account_id is null));
create index page_sessions_by_person on page_sessions (person_id, expires_at);

-- Null: the key belongs to the account as a whole.
alter table keys add column person_id uuid references people;
create index keys_by_person on keys (person_id) where person_id is not null;
