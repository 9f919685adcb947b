import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TObject } from '../../../lib/schema.ts'
import { cloneDatabase, databaseUrl } from '../../../../test/harness/postgres.ts'
import { NewChildBody } from '../../../keys/children/child-input.ts'
import { KeyPatchBody, NewKeyBody } from '../../../keys/key-input.ts'
import type { KeyRecord, KeyWithSecret } from '../../../keys/key-record.ts'
import type { Command } from '../command.ts'
import { runCli } from '../run-cli.ts'
import { keysMint } from './key-children.ts'
import { keysCreate, keysSet } from './keys.ts'

const { target } = await cloneDatabase()

async function tollgate(line: string): Promise<{ code: number; out: string; err: string }> {
  const output = { out: '', err: '' }
  const code = await runCli(line.split(' '), {
    environment: { DATABASE_URL: databaseUrl(target) },
    out: (text) => void (output.out += text),
    err: (text) => void (output.err += text),
  })
  return { code, ...output }
}

async function json<Data>(line: string): Promise<Data> {
  const { code, out, err } = await tollgate(`${line} --json`)
  assert.equal(code, 0, `${line}: ${out}${err}`)
  return (JSON.parse(out) as { data: Data }).data
}

await json('accounts create --email jo@example.com')

const createParent = (flags = ''): Promise<KeyWithSecret> =>
  json(`keys create --account jo@example.com --may-mint yes${flags}`)

const ALL_FLAGS = {
  label: ['summariser', 'summariser'],
  'external-id': ['tenant-7', 'tenant-7'],
  'ceiling-cents': ['50', 50],
  'ceiling-period': ['daily', 'day'],
  scope: ['account', 'account'],
  allow: ['core/*,llm/core/cheap', ['core/*', 'llm/core/cheap']],
  deny: ['*/sandbox-*', ['*/sandbox-*']],
  'max-call-cents': ['20', 20],
  expires: ['2099-01-31T00:00:00Z', '2099-01-31T00:00:00.000Z'],
  'rate-limit': ['60', 60],
  'allowed-ips': ['192.0.2.0/24,2001:db8::1', ['192.0.2.0/24', '2001:db8::1']],
  breaker: ['stop', 'stop'],
  'may-mint': ['yes', true],
} as const

const FIELDS: Readonly<Record<string, string>> = {
  expires: 'expires_at',
  'rate-limit': 'rate_limit_per_minute',
  minutes: 'ttl_s',
  'former-key': 'former_key_valid_until',
}
const fieldOf = (flag: string): string => FIELDS[flag] ?? flag.replaceAll('-', '_')

describe('the flags of a key', () => {
  const bodies: readonly (readonly [Command, TObject, others: readonly string[]])[] = [
    [keysCreate, NewKeyBody, ['account']],
    // Pausing has commands of its own.
    [keysSet, KeyPatchBody, []],
    [keysMint, NewChildBody, []],
  ]
  for (const [{ name, flags }, { properties }, others] of bodies)
    test(`"${name}" has a flag for every field of the HTTP API`, () => {
      const named = Object.keys(flags)
        .filter((flag) => !others.includes(flag))
        .map(fieldOf)
      const fields = Object.keys(properties).filter((field) => field !== 'paused')
      assert.deepEqual(named.toSorted(), fields.toSorted())
    })

  const line = (names: readonly string[]): string =>
    Object.entries(ALL_FLAGS)
      .filter(([flag]) => names.includes(flag))
      .map(([flag, [text]]) => ` --${flag} ${text}`)
      .join('')
  const expected = (names: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(ALL_FLAGS)
        .filter(([flag]) => names.includes(flag))
        .map(([flag, [, value]]) => [fieldOf(flag), value]),
    )
  const chosen = (record: KeyRecord, names: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(
      names.map((flag) => [fieldOf(flag), record[fieldOf(flag) as keyof KeyRecord]]),
    )

  test('every flag of "keys create", "keys set" and "keys mint" changes its field', async () => {
    const all = Object.keys(ALL_FLAGS)
    const created = await json<KeyRecord>(`keys create --account jo@example.com${line(all)}`)
    assert.deepEqual(chosen(created, all), expected(all))
    const plain = await createParent()
    assert.deepEqual(chosen(await json(`keys set ${plain.id}${line(all)}`), all), expected(all))
    const ofChild = all.filter((flag) => flag !== 'may-mint')
    const child = await json<KeyRecord>(`keys mint ${created.id}${line(ofChild)}`)
    assert.deepEqual(chosen(child, ofChild), expected(ofChild))
  })

  test('"none" removes a setting, and ends the former secret of a rotated key', async () => {
    const removable = Object.keys(ALL_FLAGS).filter(
      (flag) => !['ceiling-period', 'scope', 'breaker', 'may-mint'].includes(flag),
    )
    const { id } = await createParent(line(removable))
    await json(`keys rotate ${id} --grace-seconds 3600`)
    const none = removable.map((flag) => `--${flag} none`).join(' ')
    const changed = await json<KeyRecord>(`keys set ${id} --former-key none ${none}`)
    for (const flag of [...removable, 'former-key'])
      assert.equal(changed[fieldOf(flag) as keyof KeyRecord], null, flag)
  })
})

describe('child keys', () => {
  test('creates, lists and ends a child of 50 cents and 20 minutes', async () => {
    const parent = await createParent(' --ceiling-cents 500 --external-id tenant-7')
    const child = await json<KeyWithSecret>(
      `keys mint ${parent.id} --label summariser --ceiling-cents 50 --minutes 20`,
    )
    assert.deepEqual(
      {
        parent: child.parent_id,
        ceiling: [child.ceiling_cents, child.ceiling_period],
        external: child.external_id,
        minutes: (Date.parse(child.expires_at ?? '') - Date.parse(child.created_at)) / 60_000,
      },
      { parent: parent.id, ceiling: [50, 'total'], external: 'tenant-7', minutes: 20 },
    )
    assert.match(
      (await tollgate(`keys children ${parent.id}`)).out,
      new RegExp(`${child.id} +summariser +active .* \\$0\\.00 +\\$0\\.50 in total +own +never`),
    )
    assert.match((await tollgate(`keys end ${child.id}`)).out, /\(summariser\) is revoked\./)
    assert.equal((await tollgate(`keys children ${parent.id}`)).out, 'No child keys.\n')
  })

  test('shows the secret of a child once, with its settings', async () => {
    const parent = await createParent()
    const { out } = await tollgate(`keys mint ${parent.id} --allow core/*`)
    assert.match(out, /key +tg_live_\w{38}\n[^]*allow +core\/\*\n[^]*you won't see it again/)
  })

  test('rejects a parent without the right, a key without a parent, and two expiries', async () => {
    const plain = await json<KeyRecord>('keys create --account jo@example.com')
    const refused = await tollgate(`keys mint ${plain.id}`)
    assert.equal(refused.code, 1)
    assert.match(refused.err, new RegExp(`\\./tollgate keys set ${plain.id} --may-mint yes`))
    const topmost = await tollgate(`keys end ${plain.id}`)
    assert.equal(topmost.code, 1)
    assert.match(topmost.err, new RegExp(`\\./tollgate keys revoke ${plain.id}`))
    const twice = await tollgate(`keys mint ${plain.id} --minutes 5 --expires 9d`)
    assert.deepEqual([twice.code, /--minutes or --expires/.test(twice.err)], [2, true])
    const zero = await tollgate(`keys mint ${(await createParent()).id} --minutes 0`)
    assert.deepEqual([zero.code, /ttl_s|--minutes/.test(zero.err)], [2, true])
    for (const command of ['mint', 'children', 'end'])
      assert.equal((await tollgate(`keys ${command} agk_1`)).code, 1, command)
  })
})
