-- Whether a worker may begin another try: an account uses at most its share of the places, one
-- receiver a part of it, slow receivers one each and together half of the account's and slow_share.
create function has_place(
  used jsonb, slow text[], account uuid, receiver text,
  account_share integer, receiver_share integer, slow_share integer
) returns boolean language sql immutable as $$
  select coalesce((used ->> account::text)::integer, 0) < account_share
    and coalesce((used ->> receiver)::integer, 0)
      < case when receiver = any(slow) then 1 else receiver_share end
    and (
      receiver <> all(slow)
      or coalesce((used ->> 'slow')::integer, 0) < slow_share
        and coalesce((used ->> ('slow ' || account))::integer, 0) < greatest(1, account_share / 2)
    )
$$;
