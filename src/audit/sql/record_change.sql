-- Records a change in the transaction that makes it, independent of the code that makes it. The first
-- argument of the trigger is the subject, the second the column that identifies the row.
create function record_change() returns trigger language plpgsql as $$
declare
  author jsonb := nullif(current_setting('tollgate.author', true), '')::jsonb;
  before jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  present jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  -- A sign-in method belongs to a person, and is recorded for each account of the person.
  accounts uuid[];
  fields jsonb;
begin
  accounts := case
    when tg_table_name = 'accounts' then array[(present ->> 'id')::uuid]
    when tg_table_name = 'budgets' then
      array(select account_id from keys where id = (present ->> 'id')::uuid)
    when tg_table_name = 'inference_days' then
      array(select account_id from wallets where id = (present ->> 'wallet_id')::bigint)
    when present ? 'account_id' then array[(present ->> 'account_id')::uuid]
    else array(select account_id from members where person_id = (present ->> 'person_id')::uuid)
  end;
  -- A key and its limit are created together, the limit first.
  if tg_table_name = 'keys' and tg_op = 'INSERT' then
    after := after || coalesce(
      (select jsonb_build_object(
          'ceiling_micros', ceiling_micros, 'period', period, 'expires_ms', expires_ms)
        from budgets where budgets.id = new.id), '{}');
  end if;
  select jsonb_object_agg(name, case
      when name ~ '(hash|public_key|credential_id)$' or name in ('customer', 'method') then '"hidden"'
      else jsonb_build_array(before -> name, after -> name)
    end)
    into fields
    from jsonb_object_keys(before || after) as name
    where before -> name is distinct from after -> name
      and coalesce(before -> name, 'null') is distinct from coalesce(after -> name, 'null')
      and name <> all ('{id,account_id,wallet_id,created_at,changed_at,revoked_at,last_used_at,counter,joined_at,last_seen_at,expires_at,invited_by,proves_email}')
      and (name <> 'person_id' or tg_table_name = 'keys')
      and name !~ '_(start|spent|held)$' and name not in ('last_used_ms', 'day', 'used_micros', 'failures', 'next_ms');
  if fields is null and tg_op = 'UPDATE' then return null; end if;
  insert into changes (account_id, author, origin, request_id, reason, subject, subject_id, what, fields)
    select
      account, coalesce(author ->> 'by', 'gateway'), author ->> 'from', author ->> 'requestId',
      author ->> 'reason',
      tg_argv[0], replace(present ->> tg_argv[1], '-', ''),
      case tg_op when 'INSERT' then 'created' when 'DELETE' then 'deleted' else 'changed' end,
      coalesce(fields, '{}')
    from unnest(accounts) as account;
  return null;
end $$;

create trigger record_change after insert or update or delete on accounts
  for each row execute function record_change('account', 'id');
create trigger record_change after insert or update or delete on keys
  for each row execute function record_change('key', 'id');
create trigger record_change after insert or update or delete on person_passwords
  for each row execute function record_change('password', 'person_id');
create trigger record_change after insert or delete on passkeys
  for each row execute function record_change('passkey', 'person_id');
create trigger record_change after insert or delete on person_identities
  for each row execute function record_change('provider', 'person_id');
create trigger record_change after insert or delete or update of role on members
  for each row execute function record_change('member', 'person_id');
create trigger record_change after insert or delete or update of token_hash on invitations
  for each row execute function record_change('invitation', 'id');

-- Payments update other columns.
create trigger record_change after insert or update of is_on, threshold_micros, amount_micros, monthly_micros, method on auto_topups
  for each row execute function record_change('automatic_topup', 'account_id');

-- Calls update other columns of these two tables. PostgreSQL decides by the column list whether a
-- statement fires a trigger, so they cost calls nothing.
create trigger record_change after update of state, ceiling_micros, period, expires_ms on budgets
  for each row execute function record_change('limit', 'id');
create trigger record_change after update of cap_micros on inference_days
  for each row execute function record_change('daily_cap', 'wallet_id');
-- A cap that is set before the first call: day 0 is in the past.
create trigger record_first_cap after insert on inference_days
  for each row when (new.day = 0) execute function record_change('daily_cap', 'wallet_id');
