import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { emptyDatabase } from '../../test/harness/postgres.ts'
import { SCHEMA } from '../app/wiring/schema.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { connectDatabase, type Database } from './database.ts'
import { readChecksums, sha256 } from './former-migrations.ts'
import { migrate, type Schema } from './migrate.ts'

/** A schema of these files, by path: `migrations/…`, and a module in each other folder. */
function schemaOf(files: Record<string, string>): Schema {
  const root = mkdtempSync(join(tmpdir(), 'tollgate-schema-'))
  cleanUp(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'migrations'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const folders = readdirSync(root).filter((name) => name !== 'migrations')
  return {
    migrations: join(root, 'migrations'),
    modules: folders.map((folder) => join(root, folder)),
  }
}

function moduleOf(
  name: string,
  version: number,
  objects: Record<string, string>,
): Record<string, string> {
  const files = Object.keys(objects).map((object) => `${object}.sql`)
  const manifest = JSON.stringify({ name, version, checksum: '', files })
  return {
    [`${name}/manifest.json`]: manifest,
    ...Object.fromEntries(
      Object.entries(objects).map(([object, sql]) => [`${name}/${object}.sql`, sql]),
    ),
  }
}

const ONE = { 'migrations/0001-one.sql': 'create table one (id int)' }
const TWO = { ...ONE, 'migrations/0002-two.sql': 'create table two (id int)' }

async function definitionsIn(database: Database): Promise<readonly string[]> {
  const { rows } = await database.query<{ definition: string }>(
    `select pg_get_functiondef(oid) as definition from pg_proc where pronamespace = 'public'::regnamespace
     union all select viewname || definition from pg_views where schemaname = 'public'
     union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     union all select relname || ' ' || string_agg(attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull, ', ' order by attnum)
       from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
       where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace group by relname
     order by 1`,
  )
  return rows.map(({ definition }) => definition)
}

const answerOf = async (database: Database, call: string): Promise<unknown> =>
  (await database.query(`select ${call} as answer`)).rows[0]?.['answer']

test('one of three concurrent processes applies everything, the others find nothing to do', async () => {
  const { target } = await emptyDatabase()
  const racers = [1, 2, 3].map(() => connectDatabase(target, { poolSize: 1 }))
  const applied = await Promise.all(racers.map((racer) => migrate(racer, SCHEMA)))
  await Promise.all(racers.map((racer) => racer.close()))
  const all = readdirSync(SCHEMA.migrations)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
  assert.deepEqual(
    applied.toSorted((a, b) => a.length - b.length),
    [[], [], [...all, 'ledger', 'limits', 'audit', 'events']],
  )
})

test('waits for a process that migrates longer than other transactions wait for a lock', async () => {
  const { database, target } = await emptyDatabase()
  const impatient = connectDatabase(target, { poolSize: 1, silenceMs: 400 })
  const waited = await database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(7246001)')
    const ran = migrate(impatient, schemaOf(ONE)).catch((error: unknown) => error)
    const early = async (): Promise<unknown> => {
      const { rows } = await tx.query<{ late: boolean }>(
        "select coalesce(max(clock_timestamp() - waitstart), '0') > '300ms' as late from pg_locks where not granted and locktype = 'advisory'",
      )
      return rows[0]?.late === true
        ? 'still waiting'
        : Promise.race([ran, new Promise((resume) => setImmediate(resume))]).then(
            (ended) => ended ?? early(),
          )
    }
    return { state: await early(), ran }
  })
  assert.equal(waited.state, 'still waiting')
  assert.deepEqual(await waited.ran, ['0001-one.sql'])
  await impatient.close()
})

test('a second run applies only new migrations, in numerical order', async () => {
  const { database } = await emptyDatabase()
  assert.deepEqual(await migrate(database, schemaOf(ONE)), ['0001-one.sql'])
  assert.deepEqual(
    await migrate(
      database,
      schemaOf({
        ...TWO,
        'migrations/0010-ten.sql': 'alter table two add column ten int',
        'migrations/notes.txt': 'no SQL',
      }),
    ),
    ['0002-two.sql', '0010-ten.sql'],
  )
})

test('refuses to start after an applied migration was edited, and changes nothing', async () => {
  const { database } = await emptyDatabase()
  await migrate(database, schemaOf(ONE))
  await assert.rejects(
    migrate(
      database,
      schemaOf({ ...TWO, 'migrations/0001-one.sql': 'create table other (id int)' }),
    ),
    { name: 'StartError', message: /0001-one\.sql was changed after it was applied/ },
  )
  assert.equal(await answerOf(database, "to_regclass('two')::text"), null)
})

test('refuses a database that a newer version has migrated', async () => {
  const { database } = await emptyDatabase()
  await migrate(database, schemaOf(TWO))
  await assert.rejects(migrate(database, schemaOf(ONE)), {
    name: 'StartError',
    message: /newer version .* does not contain 0002-two\.sql/,
  })
})

test('a failing migration rolls back the whole run, and the next run starts from the beginning', async () => {
  const { database } = await emptyDatabase()
  await assert.rejects(
    migrate(
      database,
      schemaOf({
        ...ONE,
        'migrations/0002-two.sql': 'create table two (id int); select 1 / 0',
      }),
    ),
    { code: '22012' },
  )
  assert.deepEqual(await migrate(database, schemaOf(TWO)), ['0001-one.sql', '0002-two.sql'])
})

// The view reads the table, and the SQL function reads the view: PostgreSQL checks both when it
// creates them, and refuses changes to what a view reads.
const shopOf = (version: number, column: string, type: string): Record<string, string> =>
  moduleOf('shop', version, {
    shelf: `create view shelf as select ${column} from one`,
    total: `create function total(step ${type}) returns ${type} language sql as $$ select coalesce(sum(${column}), 0)::${type} + step from shelf $$`,
    mark: `create function mark() returns trigger language plpgsql as $$ begin new.${column} := 7; return new; end $$;
      create trigger mark before insert on one for each row execute function mark()`,
  })
const SHOP_1 = { ...ONE, ...shopOf(1, 'id', 'bigint') }
const SHOP_2 = {
  ...ONE,
  'migrations/0002-price.sql':
    'alter table one rename id to price; alter table one alter price type numeric',
  ...shopOf(2, 'price', 'numeric'),
}

test('creates functions, views and triggers again around a change of the table that they read', async () => {
  const { database } = await emptyDatabase()
  assert.deepEqual(await migrate(database, schemaOf(SHOP_1)), ['0001-one.sql', 'shop'])
  assert.deepEqual(await migrate(database, schemaOf(SHOP_1)), [])
  await database.query('insert into one values (1)')
  assert.equal(await answerOf(database, 'total(1)::int'), 8)

  assert.deepEqual(await migrate(database, schemaOf(SHOP_2)), ['0002-price.sql', 'shop'])
  await database.query('insert into one values (0.5)')
  assert.equal(await answerOf(database, 'total(0.25)::float'), 14.25)
  const { database: fresh } = await emptyDatabase()
  await migrate(fresh, schemaOf(SHOP_2))
  assert.deepEqual(await definitionsIn(database), await definitionsIn(fresh))
})

test('drops the functions and views whose files were removed', async () => {
  const { database } = await emptyDatabase()
  await migrate(database, schemaOf(SHOP_1))
  await migrate(
    database,
    schemaOf({
      ...ONE,
      ...moduleOf('shop', 2, { shelf: 'create view shelf as select id from one' }),
    }),
  )
  const definitions = (await definitionsIn(database)).join('\n')
  assert.match(definitions, /^shelf/m)
  assert.doesNotMatch(definitions, /total|mark/)
})

test('refuses an edited function whose version is the same, and changes nothing', async () => {
  const { database } = await emptyDatabase()
  await migrate(database, schemaOf(SHOP_1))
  await assert.rejects(
    migrate(database, schemaOf({ ...SHOP_2, ...shopOf(1, 'price', 'numeric') })),
    { name: 'StartError', message: /changed after version 1 was applied\. .* raise the version/ },
  )
  assert.equal(await answerOf(database, 'total(1)::int'), 1)
})

test('refuses a database with newer functions, even if its tables are the same', async () => {
  const { database } = await emptyDatabase()
  await migrate(database, schemaOf({ ...ONE, ...shopOf(2, 'id', 'bigint') }))
  for (const older of [SHOP_1, ONE])
    await assert.rejects(migrate(database, schemaOf(older)), {
      name: 'StartError',
      message: /the "shop" functions have version 2\. Update this copy/,
    })
})

test('a failing function rolls back the migrations of its run', async () => {
  const { database } = await emptyDatabase()
  await assert.rejects(
    migrate(
      database,
      schemaOf({
        ...ONE,
        ...moduleOf('shop', 1, { shelf: 'create view shelf as select no from one' }),
      }),
    ),
    { code: '42703' },
  )
  assert.equal(await answerOf(database, "to_regclass('one')::text"), null)
})

test('refuses a manifest that lists other files than its folder has', async () => {
  const { database } = await emptyDatabase()
  await assert.rejects(migrate(database, schemaOf({ ...SHOP_1, 'shop/stray.sql': 'select 1' })), {
    name: 'StartError',
    message: /manifest\.json does not match its folder: stray\.sql/,
  })
})

const FORMER = readFileSync(join(SCHEMA.migrations, 'former/checksums.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('  ') as [string, string])

const BASELINE = '0001-baseline.sql'
const LATER = readdirSync(SCHEMA.migrations)
  .filter((name) => name.endsWith('.sql') && name !== BASELINE)
  .toSorted()

/** A database as the last version before the baseline left it, with signatures of its functions. */
async function formerDatabase(rows = FORMER): Promise<Database> {
  const { database } = await emptyDatabase()
  const baseline = readFileSync(join(SCHEMA.migrations, BASELINE), 'utf8')
  await migrate(database, schemaOf({ [`migrations/${BASELINE}`]: baseline }))
  await database.query(`drop table sql_modules; delete from migrations;
    alter table holds drop column attributes,
      add column service text not null, add column action text not null, add column external_id text;
    create view open_lots as select *, 1::bigint as place from lots;
    create function ledger_hold_one(h_service text, h_action text, h_external text, out resolved text) language sql as $$ select $1 $$;
    create function ledger_next_expiry(w bigint) returns bigint language sql as $$ select max(place) from open_lots where wallet_id = w $$;
    create function vendor_take(label text) returns text language sql as $$ select $1 $$;
    create function inference_hold() returns trigger language plpgsql as $$ begin return new; end $$;
    create trigger inference_hold before insert on holds for each row execute function inference_hold();
    insert into holds (id, wallet_id, amount_micros, day, deadline_ms, kind, service, action, external_id)
      values (gen_random_uuid(), 1, 5, 0, 0, 'call', 'search', 'web "news"', null)`)
  for (const [checksum, name] of rows)
    await database.query('insert into migrations (name, checksum) values ($1, $2)', [
      name,
      checksum,
    ])
  return database
}

test('adopts a database of the last version before the baseline, with its open holds', async () => {
  const database = await formerDatabase()
  assert.deepEqual(await migrate(database, SCHEMA), [
    ...LATER,
    'ledger',
    'limits',
    'audit',
    'events',
  ])
  assert.deepEqual(await migrate(database, SCHEMA), [])
  const { database: fresh } = await emptyDatabase()
  await migrate(fresh, SCHEMA)
  assert.deepEqual(await definitionsIn(database), await definitionsIn(fresh))
  const records = 'select name, checksum from migrations order by name'
  assert.deepEqual((await database.query(records)).rows, (await fresh.query(records)).rows)
  const { rows } = await database.query(
    'select kind, service, action, external_id, held_micros from open_calls',
  )
  assert.deepEqual(rows, [
    { kind: 'call', service: 'search', action: 'web "news"', external_id: null, held_micros: 5n },
  ])
})

// The migrations between the commits of 23 and 24 November (UTC), undone, with rows of that version.
const UNDO_LATER = `
  drop table shared_clock, process_leases, compute_snapshots;
  alter table job_steps drop column repeats;
  alter table payment_days drop column mode, drop column chosen_micros, add primary key (day);
  alter table payments drop column charged_wallet, drop column awaits_answer,
    drop column chosen_by_caller, drop column mode;
  drop index vendor_references_once;
  alter table vendor_references drop column key_id;
  alter table vendor_references add primary key (service, is_test, reference, account_id);
  alter table files drop column key_id;
  alter table browser_sessions drop column key_id;
  alter table consult_conversations drop column key_id;
  alter table keys drop column scope;
  alter table accounts drop column is_house;
  drop function ledger_hold_one, vendor_take;
  delete from holds;
  insert into accounts (id, email, tier, created_at)
    values (uuid_from(1), 'a@example.com', 'personal', now()), (uuid_from(2), 'anonymous-buyers@house.invalid', 'personal', now());
  insert into wallets (account_id, mode, balance_micros, spent_micros, posted, lots_counted_micros)
    values (uuid_from(1), 'live', 70, 30, 2, 30), (uuid_from(2), 'live', 0, 0, 0, 0);
  insert into budgets (id, day_start, week_start, month_start, day_spent, week_spent, month_spent)
    values (uuid_from(2), 0, 0, 0, 0, 0, 0), (uuid_from(3), 20000, 19996, 19997, 30, 30, 30);
  insert into lots (id, wallet_id, source, amount_micros, remaining_micros, created_at)
    select uuid_from(4), id, 'grant', 100, 70, now() from wallets where balance_micros = 70;
  insert into transactions (id, wallet_id, sequence, budget_id, day, kind, status, held_micros, amount_micros, balance_after_micros, book)
    select uuid_from(4), id, 1, null, 20000, 'grant', 'settled', 0, 100, 100, 'grants' from wallets where balance_micros = 70
    union all select uuid_from(5), id, 2, uuid_from(3), 20000, 'call', 'settled', 30, -30, 70, 'revenue' from wallets where balance_micros = 70;
  insert into keys (id, account_id, mode, is_primary, key_prefix, secret_hash, created_at)
    values (uuid_from(3), uuid_from(1), 'live', false, 'tg_live_aaaa', '\\x01', now());
  insert into payments (id, call_id, account_id, service, action, method, merchant, challenge_id, currency, amount_micros, day, status, created_ms, deadline_ms)
    values (uuid_from(6), uuid_from(5), uuid_from(1), 'web', 'fetch', 'x402', 'shop.example', 'c', 'usdc', 20, 20000, 'paid', 0, 0);
  insert into payment_days (day, outflow_micros) values (20000, 50);
  insert into vendor_references (service, is_test, reference, account_id, made_ms) values ('inbox', false, 'r', uuid_from(1), 0);`

/** A database of commit 7641a625, without `later` of its migrations. */
async function olderDatabase(later: readonly string[]): Promise<Database> {
  const database = await formerDatabase(FORMER.filter(([, name]) => !later.includes(name)))
  await database.query(
    UNDO_LATER.replaceAll(/uuid_from\((\d)\)/g, "'00000000-0000-7000-8000-00000000000$1'::uuid"),
  )
  return database
}

test('adopts a database of 23 November with its balances, keys, payments and references', async () => {
  const later = FORMER.map(([, name]) => name).filter((name) => name > '0110')
  const database = await olderDatabase(later)
  await migrate(database, SCHEMA)
  const { database: fresh } = await emptyDatabase()
  await migrate(fresh, SCHEMA)
  assert.deepEqual(await definitionsIn(database), await definitionsIn(fresh))
  assert.deepEqual(await verifyLedger(database), {
    ...(await verifyLedger(fresh)),
    wallets: 2,
    transactions: 2,
  })
  assert.equal(
    await answerOf(database, '(select balance_micros::int from wallets order by id limit 1)'),
    70,
  )
  assert.equal(await answerOf(database, '(select scope from keys)'), 'account')
  assert.equal(await answerOf(database, '(select chosen_by_caller from payments)'), true)
  assert.equal(await answerOf(database, '(select chosen_micros::int from payment_days)'), 20)
  assert.equal(
    await answerOf(database, '(select email from accounts where is_house)'),
    'anonymous-buyers@house.invalid',
  )
  assert.equal(await answerOf(database, '(select reference from vendor_references)'), 'r')
})

test('names the commit that upgrades a database older than 23 November', async () => {
  const database = await formerDatabase(FORMER.slice(0, 30))
  await assert.rejects(migrate(database, SCHEMA), {
    name: 'StartError',
    message: /lacks migration 0099-page-sessions-of-a-key\.sql\. Start commit 7641a625 on it once/,
  })
})

test('recognizes migrations that were renumbered or changed before their release', async () => {
  const { database } = await emptyDatabase()
  await migrate(
    database,
    schemaOf({ ...ONE, 'migrations/0003-two.sql': 'create table two (a int)' }),
  )
  const edited = `-- ${sha256('create table two (a int)')} ${sha256('create table two (b int)')}\nalter table two rename column a to b;\n`
  const current = schemaOf({
    'migrations/0002-one.sql': ONE['migrations/0001-one.sql'],
    'migrations/0004-two.sql': 'create table two (b int)',
    'migrations/former/edited.sql': edited,
  })
  assert.deepEqual(await migrate(database, current), [])
  assert.equal(
    await answerOf(database, "(select string_agg(name, ' ' order by name) from migrations)"),
    '0002-one.sql 0004-two.sql',
  )
  assert.equal(await answerOf(database, '(select count(b)::int from two)'), 0)
})

test('refuses a former database whose migrations were edited', async () => {
  const database = await formerDatabase(
    FORMER.map(([checksum, name], place) => [place === 3 ? '0'.repeat(64) : checksum, name]),
  )
  await assert.rejects(migrate(database, SCHEMA), {
    name: 'StartError',
    message: new RegExp(`${FORMER[3]?.[1]} was changed after it was applied`),
  })
})

test('every migration has a number of its own', () => {
  const numbers = readdirSync(SCHEMA.migrations)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, 4))
  assert.deepEqual(numbers.toSorted(), [...new Set(numbers)].toSorted())
  assert.ok(numbers.length > 0)
})

const RELEASED = readChecksums(join(SCHEMA.migrations, 'checksums.txt'))
const FORMER_FILES = FORMER.map(([, name]) => name).filter((name) => name > '0110')

test('every migration stays as migrations/checksums.txt lists it', () => {
  const present = [BASELINE, ...LATER].map((name) => {
    const text = readFileSync(join(SCHEMA.migrations, name), 'utf8')
    return [name, sha256(text)] as const
  })
  assert.deepEqual(
    [...RELEASED],
    present,
    'Never remove or edit a migration. Append new ones: cd migrations && sha256sum NNNN-name.sql >> checksums.txt',
  )
  const former = readdirSync(join(SCHEMA.migrations, 'former'))
  assert.deepEqual(former.filter((name) => /^\d/.test(name)).toSorted(), FORMER_FILES)
})
