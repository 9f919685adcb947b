import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import S3rver from 's3rver'
import { Agent, Dispatcher } from 'undici'
import { manualClock } from '../../../../test/harness/manual-clock.ts'
import { AppError } from '../../../errors/app-error.ts'
import { systemClock } from '../../../lib/clock.ts'
import type { Store } from '../store.ts'
import { newKey, receivedOf, read, storePromises } from '../testing/store-contract.ts'
import { startVerifyingS3, type VerifyingS3 } from '../testing/verifying-s3.ts'
import { createDiskStore } from './disk.ts'
import { createS3Store } from './s3.ts'

const KEYS = {
  accessKeyId: 'AKEXAMPLE',
  secretAccessKey: 'very/secret+key',
  region: 'eu-central-1',
}
const SERVER_KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1' }

const folder = mkdtempSync(join(tmpdir(), 'tollgate-drivers-'))
const dispatcher = new Agent()
const clock = manualClock(Date.UTC(2026, 10, 20, 12))
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: join(folder, 's3'),
  configureBuckets: [{ name: 'files', configs: [] }],
})
let serverUrl: string
let fakeS3: VerifyingS3

before(async () => {
  fakeS3 = await startVerifyingS3({ ...KEYS, now: clock })
  serverUrl = `http://127.0.0.1:${(await server.run()).port}`
})
after(async () => {
  await Promise.all([fakeS3.close(), server.close(), dispatcher.close()])
  rmSync(folder, { recursive: true, force: true })
})

const onDisk = (): Store => createDiskStore(join(folder, 'disk'))
const s3Store = (changes: Partial<Parameters<typeof createS3Store>[0]> = {}): Store =>
  createS3Store({
    endpoint: fakeS3.url,
    bucket: 'files',
    dispatcher,
    now: clock,
    ...KEYS,
    ...changes,
  })
const onServer = (): Store =>
  createS3Store({
    endpoint: serverUrl,
    bucket: 'files',
    dispatcher,
    now: systemClock,
    ...SERVER_KEYS,
  })

const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === 'overloaded' &&
  !JSON.stringify([error.message, error.details]).includes('secret')

for (const [name, open] of [
  ['the disk', onDisk],
  ['an S3 store that checks every signature', () => s3Store()],
  ['an S3 server', onServer],
] as const) {
  describe(name, () => {
    for (const [promise, holds] of storePromises) it(promise, () => holds(open()))
  })
}

describe('an S3 store that checks every signature', () => {
  const key = 'ab'.repeat(24)
  for (const [name, changes, code] of [
    ['another secret', { secretAccessKey: 'other' }, 'SignatureDoesNotMatch'],
    ['another key id', { accessKeyId: 'AKOTHER' }, 'InvalidAccessKeyId'],
    ['another region', { region: 'us-east-1' }, 'AuthorizationHeaderMalformed'],
    ['a clock that is an hour off', { now: () => clock() - 3_600_000 }, 'RequestTimeTooSkewed'],
  ] as const) {
    it(`rejects ${name}; callers see only that the store is unavailable`, async () => {
      fakeS3.refusals.length = 0
      await assert.rejects(s3Store(changes).put(key, receivedOf(Buffer.from('x'))), isUnavailable)
      await assert.rejects(s3Store(changes).open(key, null), isUnavailable)
      await assert.rejects(s3Store(changes).remove(key), isUnavailable)
      assert.deepEqual(fakeS3.refusals, [code, code, code])
      assert.equal(fakeS3.objects.has(`/files/${key}`), false)
    })
  }

  for (const [name, change] of [
    [
      'method',
      ({ method, ...rest }) => ({ ...rest, method: method === 'GET' ? 'DELETE' : method }),
    ],
    ['path', ({ path, ...rest }) => ({ ...rest, path: `${path}0` })],
    ['query', ({ path, ...rest }) => ({ ...rest, path: `${path}?acl` })],
    [
      'range',
      ({ headers, ...rest }) => ({
        ...rest,
        headers: { ...(headers as Record<string, string>), range: 'bytes=0-9' },
      }),
    ],
  ] satisfies [string, Change][]) {
    it(`rejects a request whose ${name} was changed in transit`, async () => {
      fakeS3.refusals.length = 0
      await assert.rejects(
        s3Store({ dispatcher: new Meddler(change) }).open(key, { first: 0, last: 0 }),
        isUnavailable,
      )
      assert.deepEqual(fakeS3.refusals, ['SignatureDoesNotMatch'])
    })
  }

  it('rejects bytes other than those measured', async () => {
    fakeS3.refusals.length = 0
    const { sha256 } = receivedOf(Buffer.from('abd'))
    await assert.rejects(
      s3Store().put(key, { ...receivedOf(Buffer.from('abc')), sha256 }),
      isUnavailable,
    )
    assert.deepEqual(fakeS3.refusals, ['XAmzContentSHA256Mismatch'])
  })
})

for (const [name, open] of [
  ['the disk', onDisk],
  ['an S3 store', () => s3Store()],
] as const) {
  it(`${name} returns only the first byte`, async () => {
    const key = newKey()
    await open().put(key, receivedOf(Buffer.from('xyz')))
    assert.deepEqual(await read(open(), key, { first: 0, last: 0 }), Buffer.from('x'))
  })
}

it('reports a store that misreads a range as unavailable', async () => {
  const key = newKey()
  await onServer().put(key, receivedOf(Buffer.from('xyz')))
  // This server returns the whole object for "bytes=0-0".
  await assert.rejects(onServer().open(key, { first: 0, last: 0 }), isUnavailable)
})

it('reports an unreachable store as unavailable', async () => {
  const store = s3Store({ endpoint: 'http://127.0.0.1:1' })
  await assert.rejects(store.open(newKey(), null), isUnavailable)
  await assert.rejects(store.put(newKey(), receivedOf(Buffer.from('x'))), isUnavailable)
  await assert.rejects(store.remove(newKey()), isUnavailable)
})

type Change = (options: Dispatcher.DispatchOptions) => Dispatcher.DispatchOptions

class Meddler extends Dispatcher {
  readonly #change: Change
  constructor(change: Change) {
    super()
    this.#change = change
  }
  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    return dispatcher.dispatch(this.#change(options), handler)
  }
}
