-- A settlement stores its response in the row of the claim. Free space in the page of the claim lets
-- PostgreSQL update the row without new index entries.
alter table answers set (fillfactor = 25);

-- No statement filters by them, and ANALYZE would sort thousands of bodies.
alter table answers alter column body set statistics 0, alter column fingerprint set statistics 0;

-- lz4 takes a tenth of the time of pglz. Some builds of PostgreSQL lack it.
do $$
begin
  alter table answers alter column body set compression lz4;
exception when feature_not_supported then null;
end $$;
