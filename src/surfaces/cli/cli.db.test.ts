import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { dataFolder } from '../../../test/harness/clients/gateway-process.ts'
import { cloneDatabase } from '../../../test/harness/postgres.ts'
import { modeOfSecret } from '../../keys/format.ts'
import type { KeyRecord } from '../../keys/key-record.ts'
import { runCli } from './run-cli.ts'

const { database, target } = await cloneDatabase()
const root = join(import.meta.dirname, '../../..')
// Shared with the browser tests, so that the browser is unpacked once.
const dataDir = join(root, 'node_modules/.cache/tollgate')
const url = `postgres://${target.user}@localhost/${target.database}?host=${encodeURIComponent(target.host)}`

type Run = { code: number; out: string; err: string }

async function tollgate(line: string, environment: Record<string, string> = {}): Promise<Run> {
  const words = line === '' ? [] : line.split(' ')
  const output = { out: '', err: '' }
  const code = await runCli(words, {
    environment: {
      PATH: process.env['PATH'],
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      PORT: '0',
      ...environment,
    },
    out: (text) => void (output.out += text),
    err: (text) => void (output.err += text),
  })
  return { code, ...output }
}

async function json<Data>(line: string, environment: Record<string, string> = {}): Promise<Data> {
  const { code, out, err } = await tollgate(`${line} --json`, environment)
  assert.equal(code, 0, `${line}: ${out}${err}`)
  const answer = JSON.parse(out) as { ok: boolean; data: Data }
  assert.equal(answer.ok, true)
  return answer.data
}

type Created = {
  account: { id: string; email: string }
  live: { id: string; key: string }
  test: { id: string; key: string }
}
type Key = {
  id: string
  key: string
  status: string
  label: string | null
  ceiling_cents: number | null
  ceiling_period: string
  mode: string
}

const jo = await json<Created>('accounts create --email jo@example.com --tier business')

describe('accounts and credit', () => {
  test('creates an account with two keys, shown once, and lists its balance and sign-in methods', async () => {
    assert.deepEqual(
      [jo.account.email, modeOfSecret(jo.live.key), modeOfSecret(jo.test.key)],
      ['jo@example.com', 'live', 'test'],
    )
    const { out } = await tollgate('accounts list')
    assert.match(
      out,
      new RegExp(`${jo.account.id} +jo@example.com +business +\\$10\\.00 +2 .* nothing yet`),
    )
    assert.ok(!out.includes(jo.live.key))
  })

  test('exits with 1 for an address in use and with 2 for a malformed one, with the reason', async () => {
    const taken = await tollgate('accounts create --email JO@example.com')
    assert.deepEqual([taken.code, taken.out], [1, ''])
    assert.match(taken.err, /An account for JO@example\.com already exists/)
    const malformed = await tollgate('accounts create --email jo --json')
    assert.equal(malformed.code, 2)
    assert.equal(
      (JSON.parse(malformed.out) as { error: { code: string } }).error.code,
      'invalid_params',
    )
  })

  test('grants credit by account ID or address, with an expiry, and the ledger stays consistent', async () => {
    assert.equal(
      (
        await json<{ balance_cents: number }>(
          `credit grant --account ${jo.account.id} --cents 250.5`,
        )
      ).balance_cents,
      1250,
    )
    const { out } = await tollgate(
      'credit grant --account jo@example.com --cents 100 --expires 30d',
    )
    assert.match(
      out,
      /Granted \$1\.00 of live credit to jo@example\.com until .* The balance is \$13\.505\./,
    )
    const topup = await json<{ transaction_id: string }>(
      'credit grant --account jo@example.com --cents 0.01 --kind topup --mode test',
    )
    assert.match((await tollgate(`trace ${topup.transaction_id}`)).out, /topup/)
    assert.deepEqual(await tollgate('verify-ledger'), {
      code: 0,
      out: 'The ledger is consistent: 2 wallets, 5 transactions, 0 open holds.\n',
      err: '',
    })
    // Snake case, as in every other field of the gateway.
    assert.deepEqual(await json('verify-ledger'), {
      ok: true,
      wallets: 2,
      transactions: 5,
      open_holds: 0,
      findings: [],
    })
  })

  test('audit names the operator who changed an account, in words and as JSON', async () => {
    await json('accounts create --email audited@example.com')
    await json('accounts daily-cap --account audited@example.com --cents 700', { USER: 'jo' })
    const { out } = await tollgate('audit --account audited@example.com --limit 1')
    assert.match(
      out,
      /operator jo\s+command line\s+acc_\w+\s+daily cap of wallet \d+ created: .*cap \$7\.00/,
    )
    const all = await json<{ author: string; subject: string }[]>('audit')
    assert.deepEqual([all[0]?.author, all[0]?.subject], ['operator jo', 'daily_cap'])
    assert.equal((await tollgate('audit --limit 0')).code, 2)
  })

  test('lists the events and webhooks of an account', async () => {
    assert.equal((await tollgate('events list --account jo@example.com')).out, 'No events.\n')
    assert.equal((await tollgate('webhooks list --account jo@example.com')).out, 'No webhooks.\n')
    const { id } = await json<{ id: string }>('keys create --account jo@example.com --label events')
    await tollgate(`keys pause ${id}`)
    const [event] = await json<{ id: string; type: string }[]>(
      'events list --account jo@example.com',
    )
    assert.equal(event?.type, 'key.paused')
    const { out } = await tollgate('events list --account jo@example.com --limit 1')
    assert.match(out, new RegExp(`${event?.id} +Key ${id} was paused\\.`))
    assert.equal((await tollgate('events list --account jo@example.com --limit 0')).code, 2)
  })

  test('lists the credits and charges of an account; each line can be traced by its ID', async () => {
    const lines = await json<{ id: string; kind: string; amount_micros: number }[]>(
      'history list --account jo@example.com --limit 2',
    )
    assert.deepEqual(
      lines.map(({ kind, amount_micros: amount }) => [kind, amount]),
      [
        ['grant', 1_000_000],
        ['grant', 2_505_000],
      ],
    )
    assert.match(
      (await tollgate('history list --account jo@example.com')).out,
      new RegExp(`${lines[0]?.id} +grant +settled +\\$1\\.00 +\\$13\\.505`),
    )
    assert.equal(
      (await tollgate('history list --account jo@example.com --until 2020-01-01')).out,
      'No transactions.\n',
    )
    assert.match(
      (await tollgate(`trace ${lines[0]?.id}`)).out,
      new RegExp(`account +${jo.account.id} \\(jo@example\\.com\\)`),
    )
  })

  test('rejects invalid amounts and times before it opens the database', async () => {
    for (const flags of [
      '--cents ten',
      '--cents -5',
      '--cents 0.00001',
      '--cents 5 --expires soon',
      '--cents 5 --expires 2027-02-29',
      '--cents 5 --mode play',
    ]) {
      const { code, err } = await tollgate(`credit grant --account jo@example.com ${flags}`, {
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      })
      assert.equal(code, 2, flags)
      assert.match(err, /tollgate: /)
    }
    assert.equal((await tollgate('credit grant --account nobody@example.com --cents 5')).code, 1)
  })
})

describe('keys', () => {
  test('creates, lists, pauses, resumes, rotates and revokes a key', async () => {
    const created = await json<Key>(
      'keys create --account jo@example.com --label ci --external-id t1 --ceiling-cents 500 --ceiling-period daily',
    )
    assert.deepEqual(
      [created.label, created.ceiling_cents, created.ceiling_period, modeOfSecret(created.key)],
      ['ci', 500, 'day', 'live'],
    )
    assert.equal((await json<Key>('keys create --account jo@example.com --mode test')).mode, 'test')
    const limited = await json<KeyRecord>(
      'keys create --account jo@example.com --allow core/*,llm/core/cheap --max-call-cents 20',
    )
    assert.deepEqual([limited.allow, limited.max_call_cents], [['core/*', 'llm/core/cheap'], 20])
    const changed = await json<typeof limited>(
      `keys set ${limited.id} --max-call-cents none --ceiling-cents 700 --ceiling-period total --may-mint yes --breaker stop`,
    )
    const { allow, max_call_cents, ceiling_cents, ceiling_period, may_mint, breaker } = changed
    assert.deepEqual(
      { allow, max_call_cents, ceiling_cents, ceiling_period, may_mint, breaker },
      {
        allow: ['core/*', 'llm/core/cheap'],
        max_call_cents: null,
        ceiling_cents: 700,
        ceiling_period: 'total',
        may_mint: true,
        breaker: 'stop',
      },
    )
    assert.ok(
      (await json<Key[]>('keys list --account jo@example.com')).some(({ id }) => id === created.id),
    )
    assert.match((await tollgate(`keys pause ${created.id}`)).out, /ci\) is paused/)
    assert.equal((await json<Key>(`keys resume ${created.id}`)).status, 'active')
    const rotated = await json<Key>(`keys rotate ${created.id} --grace-seconds 60`)
    assert.notEqual(rotated.key, created.key)
    const until =
      /former key +valid until (\S{16})/.exec(
        (await tollgate(`keys rotate ${created.id} --grace-seconds 3600`)).out,
      )?.[1] ?? 'none'
    assert.match(
      (await tollgate('keys list --account jo@example.com')).out,
      new RegExp(`ci +active, former secret until ${until} +tg_live_`),
    )
    assert.equal((await json<Key>(`keys revoke ${created.id}`)).status, 'revoked')
    assert.match(
      (await tollgate('keys list --account jo@example.com')).out,
      /ci +revoked +tg_live_.{4}… +\$0\.00 +\$5\.00 per day +own +never/,
    )
  })

  test('rotates a lost primary key, but does not revoke it', async () => {
    const { code, err } = await tollgate(`keys revoke ${jo.live.id}`)
    assert.equal(code, 1)
    assert.match(err, /primary key/)
    assert.notEqual((await json<Key>(`keys rotate ${jo.live.id}`)).key, jo.live.key)
  })

  test('rejects unknown keys and invalid fields', async () => {
    assert.equal((await tollgate('keys pause agk_1')).code, 1)
    assert.equal((await tollgate(`keys rotate ${jo.live.id} --grace-seconds 604801`)).code, 2)
    for (const [flag, value] of [
      ['--ceiling-period', 'year'],
      ['--mode', 'play'],
    ] as const) {
      const { code, err } = await tollgate(`keys create --account jo@example.com ${flag} ${value}`)
      assert.equal(code, 2)
      // Names the flag, not the field of the API.
      assert.match(
        err,
        new RegExp(`^tollgate: ${flag} must be one of [^]*Usage: \\./tollgate keys create`),
      )
      assert.doesNotMatch(err, /null|_/)
    }
  })

  test('keygen generates a key of the given mode without a database', async () => {
    const { out } = await tollgate('keygen', { DATABASE_URL: 'nonsense' })
    assert.equal(modeOfSecret(out.trim()), 'live')
    assert.equal(modeOfSecret((await json<{ key: string }>('keygen --mode test')).key), 'test')
  })
})

describe('the command line', () => {
  test('prints help without arguments, for "help" and for every command', async () => {
    const general = await tollgate('')
    assert.deepEqual([general.code, general.err], [0, ''])
    assert.deepEqual(await tollgate('help'), general)
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      version: string
    }
    assert.deepEqual(await tollgate('--version'), { code: 0, out: `${version}\n`, err: '' })
    const listed = [
      ...general.out.matchAll(
        /^ {2}((?:accounts|credit|keys|people) \w+|keygen|verify-ledger|doctor) /gm,
      ),
    ].map(([, name]) => name ?? '')
    assert.equal(listed.length, 23)
    for (const name of ['credit grant', 'keys rotate', 'people link']) {
      assert.ok(listed.includes(name))
      const { code, out } = await tollgate(`${name} --help`)
      assert.equal(code, 0)
      assert.match(out, new RegExp(`Usage: \\./tollgate ${name} .*\\n[^]*--json[^]*Example: `))
      assert.equal((await tollgate(`help ${name}`)).out, out)
    }
  })

  test('prints help for a group of commands and rejects unknown groups', async () => {
    for (const line of ['keys --help', 'keys -h', 'help keys']) {
      const { code, out } = await tollgate(line)
      assert.equal(code, 0, line)
      assert.match(out, /^ {2}keys rotate +replace the secret of a key/m)
      assert.doesNotMatch(out, /accounts/)
    }
    for (const line of ['help key', 'nothing --help', 'keys lost --help'])
      assert.equal((await tollgate(line)).code, 2, line)
  })

  test('prints help for a single command of the launcher', async () => {
    const { code, out } = await tollgate('help serve')
    assert.equal(code, 0)
    assert.match(out, /^Usage: \.\/tollgate serve\n\nRun a gateway process\.\n[^]*has no flags/)
    assert.doesNotMatch(out, /doctor {2}/)
    assert.equal((await tollgate('help test')).out.includes('has no flags'), false)
  })

  test('exits with 2 and a suggestion for a typo', async () => {
    const flag = await tollgate('keys list --acount x')
    assert.deepEqual([flag.code, flag.out], [2, ''])
    assert.match(
      flag.err,
      /Did you mean --account\?\nUsage: \.\/tollgate keys list --account <account>/,
    )
    const command = await tollgate('kyes list --json')
    assert.equal(command.code, 2)
    assert.match(
      (JSON.parse(command.out) as { error: { message: string } }).error.message,
      /Did you mean "keys"/,
    )
  })

  test('reports an invalid value with the usage of the command, not with HTTP addresses', async () => {
    for (const line of [
      'credit grant --account jo@example.com --cents 0',
      'credit grant --account jo@example.com --cents 5 --expires 2020-01-01',
      'keys rotate agk_nothing',
      'keys revoke agk_01a1fa22bcad70048b786338de680069',
      'credit grant --account nobody@example.com --cents 5',
    ]) {
      const { code, err } = await tollgate(line)
      assert.ok(code > 0)
      assert.match(err, /\n.*\.\/tollgate /, err)
      assert.doesNotMatch(err, /GET|\/api\//, err)
    }
  })

  test('exits with 1 and the cause, never the password, for bad settings or no database', async () => {
    const away = await tollgate('accounts list', {
      DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/none',
    })
    assert.equal(away.code, 1)
    assert.match(away.err, /DATABASE_URL is unreachable/)
    assert.ok(!`${away.out}${away.err}`.includes('hunter2'))
    const invalidSetting = await tollgate('accounts list', { PORT: 'high' })
    assert.deepEqual([invalidSetting.code, /PORT="high"/.test(invalidSetting.err)], [1, true])
  })
})

type Doctor = {
  ok: boolean
  checks: { name: string; state: string; found: string; fix: string | null }[]
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => server.close())
  return String((server.address() as AddressInfo).port)
}

test('rejects a DATA_DIR without a database and creates nothing in it', async () => {
  const folder = dataFolder()
  for (const line of [
    'accounts list',
    'accounts create --email ann@example.com',
    'verify-ledger',
    `backup --to ${join(folder, 'copy')}`,
  ]) {
    const { code, out, err } = await tollgate(line, {
      DATABASE_URL: '',
      DATA_DIR: join(folder, 'mistyped'),
    })
    assert.deepEqual([code, out], [1, ''], line)
    assert.match(
      err,
      /There is no database in \S+mistyped\. Set DATA_DIR or DATABASE_URL as for the gateway, or start the gateway once\./,
    )
  }
  assert.deepEqual(await readdir(folder), [])
})

describe('doctor', () => {
  test('reports the state of every part and how to fix it', async () => {
    const report = await json<Doctor>('doctor', {
      UPSTREAM_SEMANTIC_KEY: 'secret-value',
      UPSTREAM_SEMANTICS_KEY: 'x',
    })
    const stateOf = (name: string) => report.checks.find((check) => check.name === name)?.state
    assert.deepEqual(
      [
        'Node.js',
        'data folder',
        'database',
        'migrations',
        'port',
        'service semantic',
        'service render2',
        'service semantics',
      ].map(stateOf),
      ['ok', 'ok', 'ok', 'ok', 'ok', 'unchecked', 'missing', 'missing'],
    )
    assert.ok(
      report.checks.every(
        ({ state, fix }) => (state === 'ok' || state === 'unchecked') === (fix === null),
      ),
    )
    assert.ok(report.checks.some(({ name }) => name === 'browser'))
    assert.equal(stateOf('credit by card'), 'missing')
    assert.ok(report.checks.some(({ name }) => name === 'ffmpeg'))
    assert.ok(!JSON.stringify(report).includes('secret-value'))
  })

  test('reports the debt from reversed card payments', async () => {
    const foundOf = async () =>
      (
        await json<Doctor>('doctor', { STRIPE_KEY: 'sk_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' })
      ).checks.find(({ name }) => name === 'credit by card')?.found ?? ''
    assert.match(await foundOf(), /^packs of 500, 2000, 10000 cents; webhook address: \S+$/)
    await database.query(
      `insert into card_payments (reference, account_id, transaction_id, amount_micros, credited_at, reversed_micros, taken_back_micros) select 'cs_' || n, (select id from accounts limit 1), gen_random_uuid(), 5000000, now(), 5000000, 1500000 * n from generate_series(1, 2) as n`,
    )
    assert.match(await foundOf(), /; accounts owe 550 cents for 2 reversed payments$/)
    await database.query('delete from card_payments')
  })

  test('reads an object from the file store and reports the error code of a rejection', async () => {
    const refusing = await listen(
      createServer((_request, response) =>
        response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>'),
      ),
    )
    const working = await listen(
      createServer((_request, response) =>
        response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>'),
      ),
    )
    const bucketless = await listen(
      createServer((_request, response) =>
        response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>'),
      ),
    )
    const filesOf = async (port: string) => {
      const report = await tollgate('doctor --json', {
        S3_ENDPOINT: `http://127.0.0.1:${port}`,
        S3_BUCKET: 'kept',
        S3_ACCESS_KEY_ID: 'id',
        S3_SECRET_ACCESS_KEY: 'store-secret',
      })
      assert.ok(!report.out.includes('store-secret'))
      return (JSON.parse(report.out) as { data: Doctor }).data.checks.find(
        ({ name }) => name === 'files',
      )
    }
    assert.deepEqual(await filesOf(working), {
      name: 'files',
      state: 'ok',
      found: `bucket kept at 127.0.0.1:${working}`,
      fix: null,
    })
    const refused = await filesOf(refusing)
    assert.deepEqual(
      [refused?.state, /SignatureDoesNotMatch/.test(refused?.found ?? '')],
      ['broken', true],
    )
    const homeless = await filesOf(bucketless)
    assert.deepEqual(
      [homeless?.state, /NoSuchBucket/.test(homeless?.found ?? '')],
      ['broken', true],
    )
    assert.equal((await filesOf('1'))?.state, 'broken')
  })

  test('accepts a running gateway on the port, but no other program and no missing database', async () => {
    const gateway = await listen(createServer((_request, response) => response.end('{"ok":true}')))
    const other = await listen(createSocketServer((socket) => socket.end('hello')))
    assert.match((await tollgate('doctor', { PORT: gateway })).out, /port +ok +a gateway runs/)
    const store = await listen(
      createServer((_request, response) =>
        response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>'),
      ),
    )
    const { code, out } = await tollgate('doctor', {
      PORT: other,
      DATABASE_URL: 'postgres://u@127.0.0.1:1/none',
      S3_ENDPOINT: `http://127.0.0.1:${store}`,
      S3_BUCKET: 'kept',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    })
    assert.equal(code, 1)
    assert.match(out, /port +broken +\d+ on 127\.0\.0\.1 is used by another program/)
    assert.match(out, /database +broken /)
    // A broken database does not mark working parts as broken.
    assert.match(out, /files +ok +bucket kept/)
  })
})

test('verify-ledger exits with 1 and names the broken invariant', async () => {
  await database.query(
    `update wallets set spent_micros = spent_micros + 1 where id = (select min(id) from wallets)`,
  )
  const { code, out } = await tollgate('verify-ledger')
  assert.equal(code, 1)
  assert.match(out, /BROKEN .*lots/)
  const asJson = await tollgate('verify-ledger --json')
  assert.equal((JSON.parse(asJson.out) as { ok: boolean }).ok, false)
})
