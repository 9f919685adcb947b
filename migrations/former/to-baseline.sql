-- Turns the tables of the last version before 0.1.0 into those of the baseline.

drop function if exists vendor_take;
drop function if exists vendor_now_ms;

alter table holds add column attributes jsonb;
update holds set attributes = jsonb_build_array(service, action, external_id);
alter table holds
  alter column attributes set not null,
  drop column service,
  drop column action,
  drop column external_id;
