-- Lots with credit left. `place` is the order in which spending uses them: an expired lot, whose
-- remainder covers open holds, comes first by its own date.
create view open_lots as
  select *,
    row_number() over (
      partition by wallet_id order by source <> 'grant', expires_at nulls last, id
    ) as place
  from lots where remaining_micros > 0;
