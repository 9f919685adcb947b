import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { homeFolder, runLine } from './testing/run-line.ts'

const KEY = `tg_live_${'a'.repeat(38)}`
const TEST_KEY = `tg_test_${'b'.repeat(38)}`

/** Answers every request as a gateway would answer a balance, and records the keys. */
async function startRecorder(): Promise<{ url: string; keys: (string | undefined)[] }> {
  const keys: (string | undefined)[] = []
  const data = {
    mode: 'live',
    label: 'Primary',
    key_prefix: 'tg_live_aaaa',
    ceiling_cents: null,
    spent_micros: 0,
    spendable_micros: 0,
    bound_by: 'balance',
    available_micros: 0,
    held_micros: 0,
    spent_today_micros: 0,
    spent_month_micros: 0,
  }
  const server = createServer(({ headers }, response) => {
    keys.push(headers.authorization?.replace('Bearer ', ''))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, data }))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys }
}

const work = await startRecorder()
const other = await startRecorder()

async function loggedIn(): Promise<Record<string, string>> {
  const environment = { HOME: homeFolder() }
  const { code, err } = await runLine(
    ['login', '--url', work.url, '--name', 'work', '--test-key', TEST_KEY],
    { environment, input: `${KEY}\n` },
  )
  assert.equal(code, 0, err)
  return environment
}

const stored = (home: string): string => join(home, '.config/tollgate/profiles.json')

describe('login', () => {
  test('checks the key at the gateway, and stores it readable by its user only', async () => {
    const { HOME: home = '' } = await loggedIn()
    assert.deepEqual(work.keys.slice(-2), [KEY, TEST_KEY])
    assert.equal(statSync(stored(home)).mode & 0o777, 0o600)
    assert.equal(statSync(join(home, '.config/tollgate')).mode & 0o777, 0o700)
    assert.deepEqual(JSON.parse(readFileSync(stored(home), 'utf8')), {
      current: 'work',
      profiles: { work: { url: work.url, key: KEY, test_key: TEST_KEY } },
    })
  })

  test('no command prints a stored key in full', async () => {
    const environment = { HOME: homeFolder() }
    const lines = [
      ['login', '--url', work.url, '--key', KEY, '--test-key', TEST_KEY, '--table'],
      ['login', '--url', work.url, '--key', KEY, '--json'],
      ['profile', 'list', '--table'],
      ['profile', 'list', '--json'],
      ['balance', '--table'],
      ['login', '--url', work.url, '--key', `${KEY}!`],
    ]
    for (const words of lines) {
      const { out, err } = await runLine(words, { environment })
      assert.doesNotMatch(out + err, /a{20}|b{20}/, words.join(' '))
    }
    const { out } = await runLine(['profile', 'list', '--table'], { environment })
    assert.match(out, /\* +default +http.* +tg_live_aaaa…/)
  })

  test('uses XDG_CONFIG_HOME, and ignores a relative one', async () => {
    const home = homeFolder()
    const config = join(home, 'elsewhere')
    for (const [value, path] of [
      [config, join(config, 'tollgate/profiles.json')],
      ['relative', stored(home)],
    ] as const) {
      const environment = { HOME: home, XDG_CONFIG_HOME: value }
      await runLine(['login', '--url', work.url, '--key', KEY], { environment })
      assert.match(readFileSync(path, 'utf8'), /tg_live_/)
    }
  })

  test('repairs the permissions of an existing file, and warns of other readers', async () => {
    const environment = await loggedIn()
    const path = stored(environment['HOME'] ?? '')
    chmodSync(path, 0o644)
    const { err } = await runLine(['balance'], { environment })
    assert.match(err, /Other users can read the keys in .*profiles\.json\. Run: chmod 600/)
    await runLine(['profile', 'use', 'work'], { environment })
    assert.equal(statSync(path).mode & 0o777, 0o600)
  })

  test('rejects a text that is no key without repeating it, and a damaged file', async () => {
    const environment = { HOME: homeFolder() }
    const { code, err } = await runLine(['login', '--url', work.url], {
      environment,
      secret: 'my password',
    })
    assert.deepEqual([code, err.includes('my password')], [2, false])
    assert.match(err, /Keys begin with tg_live_ or tg_test_/)
    mkdirSync(join(environment.HOME, '.config/tollgate'), { recursive: true })
    writeFileSync(stored(environment.HOME), '{')
    assert.match((await runLine(['balance'], { environment })).err, /profiles\.json is not valid/)
  })
})

describe('the key of a command', () => {
  const keyOf = async (words: readonly string[], environment: Record<string, string>) => {
    const before = [work.keys.length, other.keys.length]
    const { code, err } = await runLine(['balance', ...words], { environment })
    const sent = [...work.keys.slice(before[0]), ...other.keys.slice(before[1])]
    return { code, err, sent: [...new Set(sent)] }
  }

  test('is the flag, then the named profile, the variable, and the current profile', async () => {
    const environment = await loggedIn()
    const second = `tg_live_${'c'.repeat(38)}`
    const variables = { ...environment, TOLLGATE_KEY: second, TOLLGATE_URL: other.url }
    assert.deepEqual((await keyOf([], environment)).sent, [KEY])
    assert.deepEqual((await keyOf([], variables)).sent, [second])
    assert.deepEqual((await keyOf(['--profile', 'work'], variables)).sent, [KEY])
    assert.deepEqual((await keyOf([], { ...variables, TOLLGATE_PROFILE: 'work' })).sent, [KEY])
    assert.deepEqual((await keyOf(['--key', TEST_KEY], variables)).sent, [TEST_KEY])
  })

  test('of a profile is sent to no other address', async () => {
    const environment = await loggedIn()
    for (const [words, variables] of [
      [['--url', other.url], {}],
      [['--profile', 'work', '--url', other.url], {}],
      [[], { TOLLGATE_URL: other.url }],
    ] as const) {
      const { code, err, sent } = await keyOf(words, { ...environment, ...variables })
      assert.deepEqual([code, sent], [2, []])
      assert.match(err, /The stored key belongs to http/)
    }
    const same = await keyOf(['--url', `${work.url}/`], environment)
    assert.deepEqual(same.sent, [KEY])
  })

  test('is the test key with --test, and never a live key', async () => {
    const environment = await loggedIn()
    assert.deepEqual((await keyOf(['--test'], environment)).sent, [TEST_KEY])
    const live = await keyOf(['--test'], {
      HOME: homeFolder(),
      TOLLGATE_URL: work.url,
      TOLLGATE_KEY: KEY,
    })
    assert.deepEqual([live.code, live.sent], [2, []])
    const set = {
      HOME: homeFolder(),
      TOLLGATE_URL: work.url,
      TOLLGATE_KEY: KEY,
      TOLLGATE_TEST_KEY: TEST_KEY,
    }
    assert.deepEqual((await keyOf(['--test'], set)).sent, [TEST_KEY])
  })

  test('is required, and unknown profiles and addresses are errors of usage', async () => {
    const environment = { HOME: homeFolder() }
    for (const [words, text] of [
      [[], /No API key\.\nRun "tollgate login"/],
      [['--profile', 'wrok'], /There is no profile "wrok"/],
      [['--url', 'ftp://x', '--key', KEY], /"ftp:\/\/x" is not the address of a gateway/],
      [['--url', 'https://u:p@x.example', '--key', KEY], /has no user/],
      [['--json', '--table'], /exclude each other/],
    ] as const) {
      const { code, err } = await keyOf(words, environment)
      assert.equal(code, 2)
      assert.match(err, text)
    }
  })
})
