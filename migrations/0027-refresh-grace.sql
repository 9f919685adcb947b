-- A refresh that is repeated within a minute returns the same tokens (src/auth/oauth/rotation.ts).
alter table oauth_grants
  -- Derives the present tokens from the refresh token that they replaced. Null: after the minute.
  add column rotation_salt bytea,
  add column rotated_at timestamptz;

-- The chore that deletes salts reads only grants that have one.
create index oauth_grants_rotated on oauth_grants (rotated_at) where rotated_at is not null;
