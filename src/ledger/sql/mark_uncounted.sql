-- Marks wallets for the chore that counts transactions (src/operate/totals).
create function mark_uncounted(wallets bigint[]) returns void language sql as $$
  insert into uncounted_wallets (wallet_id, marked_by)
    select id, pg_current_xact_id() from unnest(wallets) as id
    on conflict (wallet_id) do update set marked_by = excluded.marked_by;
$$;
