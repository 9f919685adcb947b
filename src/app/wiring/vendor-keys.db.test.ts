import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { bearer } from '../../catalog/vocabulary/wire.ts'
import { withoutCredentials } from '../../upstream/credentials.ts'
import type { Target } from '../../upstream/target.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { cloneDatabase } from '../../../test/harness/postgres.ts'
import { listChanges } from '../../audit/list-changes.ts'
import { createSealingSecret } from './sealing-secret.ts'
import { openVendorKeys } from './vendor-keys.ts'

const { database } = await cloneDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-keys-'))
const NEW_KEY = 'the-new-key-of-the-vendor-7Q2'

type Place = { readonly vendorKeysSecret: string | null; readonly databaseUrl: string | null }
const BUILT_IN: Place = { vendorKeysSecret: null, databaseUrl: null }

/** A process with this key in its environment. */
async function start(
  key: string,
  place: Place = BUILT_IN,
  folder = dataDir,
  more: Record<string, string> = {},
) {
  const warnings: string[] = []
  const keys = await openVendorKeys({
    config: {
      ...place,
      dataDir: folder,
      upstreams: new Map([
        ['rag', { url: null, credentials: { KEY: key } }],
        ['llm', { url: null, credentials: { KEY: 'router' } }],
        ...Object.entries(more).map(
          ([label, KEY]) => [label, { url: null, credentials: { KEY } }] as const,
        ),
      ]),
    },
    database,
    listens: true,
    logger: { warn: ((_facts: unknown, text: string) => void warnings.push(text)) as never },
  })
  cleanUp(() => keys.close())
  const upstream = keys.upstreams.get('rag') ?? assert.fail()
  return { keys, warnings, credentials: upstream.credentials }
}

describe('a replaced vendor key', () => {
  test('is used by every process, in the objects that requests already have', async () => {
    const [one, other] = [await start('rejected'), await start('rejected')]
    const held = one.credentials
    await one.keys.store('rag', 'KEY', NEW_KEY)
    assert.equal(held['KEY'], NEW_KEY)
    await other.keys.reload()
    assert.deepEqual([other.credentials['KEY'], other.keys.isStored('rag', 'KEY')], [NEW_KEY, true])
  })

  test('is sealed in the database with a key that only the data folder has', async () => {
    const { rows } = await database.query(
      'select service, credential, sealed, replaces from vendor_keys',
    )
    assert.ok(!JSON.stringify(rows).includes(NEW_KEY))
    assert.ok(
      !Buffer.from((rows[0] as { sealed: Buffer }).sealed)
        .toString('latin1')
        .includes(NEW_KEY),
    )
    const path = join(dataDir, 'vendor-keys.secret')
    const { mode } = await stat(path)
    assert.equal(mode & 0o777, 0o600)
    const stored = JSON.stringify((await database.query('select * from shared_secrets')).rows)
    assert.ok(!stored.includes((await readFile(path, 'utf8')).trim()))
    const { changes } = await listChanges(database, { filter: {}, cursor: null, limit: 10 })
    const change = changes.find(({ subject }) => subject === 'vendor_key')
    assert.deepEqual(change?.fields, { key: 'hidden' })
  })

  test('ends when the setting changes, which is newer', async () => {
    assert.equal((await start('a newer setting')).credentials['KEY'], 'a newer setting')
  })

  test('does not open without its sealing key: the setting applies, and the log names it', async () => {
    const { credentials, warnings } = await start(
      'rejected',
      BUILT_IN,
      await mkdtemp(join(tmpdir(), 'tollgate-keys-')),
    )
    assert.deepEqual([credentials['KEY'], warnings.length], ['rejected', 1])
    const other = await start('rejected', { ...BUILT_IN, vendorKeysSecret: 'x'.repeat(32) })
    assert.deepEqual([other.credentials['KEY'], other.warnings.length], ['rejected', 0])
  })

  test('is announced: other processes use it without a request for it', async () => {
    const [one, other] = [await start('announced'), await start('announced')]
    await one.keys.store('rag', 'KEY', NEW_KEY)
    await eventually(() => assert.equal(other.credentials['KEY'], NEW_KEY))
    await one.keys.restore('rag', 'KEY')
    await eventually(() => assert.equal(other.credentials['KEY'], 'announced'))
  })

  test('without a setting is added and removed in every process, which renew their lanes', async () => {
    const [one, other] = [await start('rejected'), await start('rejected')]
    let renewed = 0
    await one.keys.store('semantic', 'KEY', 'first-key')
    await other.keys.reload()
    // The lanes open after the keys.
    other.keys.onChangedLanes(() => (renewed += 1))
    await eventually(() => assert.equal(renewed, 1))
    const held = other.keys.upstreams.get('semantic')?.credentials
    assert.deepEqual(held, { KEY: 'first-key' })
    await one.keys.store('semantic', 'KEY', NEW_KEY)
    await eventually(() => assert.equal(held['KEY'], NEW_KEY))
    await one.keys.restore('semantic', 'KEY')
    await eventually(() => assert.equal(other.keys.upstreams.has('semantic'), false))
    assert.deepEqual([renewed, held['KEY']], [2, NEW_KEY])
    const { changes } = await listChanges(database, { filter: {}, cursor: null, limit: 3 })
    assert.deepEqual(new Set(changes.map(({ subject }) => subject)), new Set(['vendor_key']))
    assert.ok(!JSON.stringify(changes).includes(NEW_KEY))
  })

  test('without a setting ends when there is one, which comes first', async () => {
    const { keys } = await start('rejected')
    await keys.store('added', 'KEY', NEW_KEY)
    const later = await start('rejected', BUILT_IN, dataDir, { added: 'of the setting' })
    assert.equal(later.keys.upstreams.get('added')?.credentials['KEY'], 'of the setting')
    assert.equal(later.keys.isStored('added', 'KEY'), false)
    await keys.restore('added', 'KEY')
  })

  test('is removed from answers to calls that sent its former value', async () => {
    const { keys, credentials } = await start('the-former-key')
    await keys.store('rag', 'KEY', NEW_KEY)
    const target = { vendor: { auth: bearer() }, credentials } as unknown as Target
    assert.equal(withoutCredentials(`the-former-key ${NEW_KEY}`, target), '[hidden] [hidden]')
    await keys.restore('rag', 'KEY')
  })

  test('returns to the setting', async () => {
    const { keys, credentials } = await start('rejected')
    await keys.restore('rag', 'KEY')
    assert.deepEqual([credentials['KEY'], keys.isStored('rag', 'KEY')], ['rejected', false])
  })

  test('needs a place for its sealing key, and a setting that is read with each request', async () => {
    const { keys } = await start('rejected', {
      vendorKeysSecret: null,
      databaseUrl: 'postgres://db.example/t',
    })
    assert.equal(keys.canStore, false)
    await assert.rejects(keys.store('rag', 'KEY', NEW_KEY), { code: 'invalid_params' })
    const built = await start('rejected')
    await assert.rejects(built.keys.store('llm', 'KEY', NEW_KEY), { code: 'invalid_params' })
  })

  test('is not sealed or opened with a damaged secret, which the log and the console name', async () => {
    for (const content of ['', 'abcd\n', 'z'.repeat(64), '0'.repeat(66)]) {
      const folder = await mkdtemp(join(tmpdir(), 'tollgate-keys-'))
      const first = await start('rejected', BUILT_IN, folder)
      await first.keys.store('rag', 'KEY', NEW_KEY)
      await writeFile(join(folder, 'vendor-keys.secret'), content)
      const { keys, credentials, warnings } = await start('rejected', BUILT_IN, folder)
      assert.equal(credentials['KEY'], 'rejected')
      assert.match(warnings.join(' '), /vendor-keys\.secret is damaged/)
      await assert.rejects(keys.store('rag', 'KEY', NEW_KEY), {
        code: 'bad_request',
        message: /vendor-keys\.secret is damaged/,
      })
    }
  })

  test('has one secret when processes create it at the same time, without temporary files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-keys-'))
    const secrets = await Promise.all(
      Array.from({ length: 8 }, () =>
        createSealingSecret({ vendorKeysSecret: null, dataDir: folder }),
      ),
    )
    assert.equal(new Set(secrets.map((secret) => secret.toString('hex'))).size, 1)
    assert.deepEqual(await readdir(folder), ['vendor-keys.secret'])
  })
})
