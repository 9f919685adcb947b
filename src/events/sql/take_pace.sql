-- Takes places of a lane, which has `burst` of them and gets one back every interval_ms. Returns 0,
-- or the milliseconds until there are enough. The row of the lane is locked until the commit.
create function take_pace(
  of_lane text, account uuid, now_ms bigint, interval_ms bigint, burst bigint, places bigint default 1
) returns bigint language plpgsql as $$
declare
  busy_ms bigint;
begin
  insert into delivery_paces as present (lane, account_id, busy_until_ms)
    values (of_lane, account, now_ms + places * interval_ms)
    on conflict (lane, account_id) do update
      set busy_until_ms = greatest(present.busy_until_ms, now_ms) + places * interval_ms
      where greatest(present.busy_until_ms, now_ms) + places * interval_ms <= now_ms + burst * interval_ms;
  if found then return 0; end if;
  select busy_until_ms into strict busy_ms from delivery_paces
    where lane = of_lane and account_id = account;
  return greatest(1, busy_ms - now_ms + (places - burst) * interval_ms);
end $$;
