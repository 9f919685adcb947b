-- A refresh that is repeated within a minute returns the same tokens (src/auth/oauth/rotation.ts).
alter table oauth_grants
  -- Derives the present tokens from the refresh token that they replaced. Null: after the minute.
  add column rotation_salt bytea,
  add column rotated_at timestamptz;
