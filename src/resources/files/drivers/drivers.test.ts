import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import S3rver from 's3rver'
import { Agent, Dispatcher } from 'undici'
import { AppError } from '../../../errors/app-error.ts'
import { manualClock, systemClock } from '../../../lib/clock.ts'
import type { Store } from '../store.ts'
import { describeStore, parcelOf } from '../testing/store-contract.ts'
import { startVerifyingS3, type VerifyingS3 } from '../testing/verifying-s3.ts'
import { createDiskStore } from './disk.ts'
import { createS3Store } from './s3.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-drivers-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const dispatcher = new Agent()
after(() => dispatcher.close())

describeStore('the disk', () => createDiskStore(join(folder, 'disk')))

const clock = manualClock(Date.UTC(2026, 10, 20, 12))
const KEYS = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'very/secret+key', region: 'eu-central-1' }
let standIn: VerifyingS3
before(async () => {
  standIn = await startVerifyingS3({ ...KEYS, now: clock })
})
after(() => standIn.close())
const storeWith = (changes: Partial<Parameters<typeof createS3Store>[0]> = {}): Store => createS3Store({ endpoint: standIn.url, bucket: 'files', dispatcher, now: clock, ...KEYS, ...changes })

describeStore('an S3 store that checks every signature', () => storeWith())

describe('an S3 store that checks every signature', () => {
  const key = 'ab'.repeat(24)
  const isUnavailable = (error: unknown): boolean =>
    error instanceof AppError && error.code === 'overloaded' && !JSON.stringify([error.message, error.details]).includes('secret')

  for (const [name, changes, code] of [
    ['another secret', { secretAccessKey: 'other' }, 'SignatureDoesNotMatch'],
    ['another key id', { accessKeyId: 'AKOTHER' }, 'InvalidAccessKeyId'],
    ['another region', { region: 'us-east-1' }, 'AuthorizationHeaderMalformed'],
    ['a clock that is an hour off', { now: () => clock() - 3_600_000 }, 'RequestTimeTooSkewed'],
  ] as const) {
    it(`refuses ${name}; callers hear that the store is away and nothing of its words`, async () => {
      standIn.refusals.length = 0
      await assert.rejects(storeWith(changes).keep(key, parcelOf(folder, Buffer.from('x'))), isUnavailable)
      await assert.rejects(storeWith(changes).open(key, null), isUnavailable)
      await assert.rejects(storeWith(changes).remove(key), isUnavailable)
      assert.deepEqual(standIn.refusals, [code, code, code])
      assert.equal(standIn.objects.has(`/files/${key}`), false)
    })
  }

  for (const [name, change, code] of [
    ['method', ({ method, ...rest }) => ({ ...rest, method: method === 'GET' ? 'DELETE' : method }), 'SignatureDoesNotMatch'],
    ['path', ({ path, ...rest }) => ({ ...rest, path: `${path}0` }), 'SignatureDoesNotMatch'],
    ['query', ({ path, ...rest }) => ({ ...rest, path: `${path}?acl` }), 'SignatureDoesNotMatch'],
    ['range', ({ headers, ...rest }) => ({ ...rest, headers: { ...(headers as Record<string, string>), range: 'bytes=0-9' } }), 'SignatureDoesNotMatch'],
  ] satisfies [string, (options: Dispatcher.DispatchOptions) => Dispatcher.DispatchOptions, string][]) {
    it(`refuses a request whose ${name} was changed on its way`, async () => {
      standIn.refusals.length = 0
      const meddling = new Meddler((options) => change(options))
      await assert.rejects(storeWith({ dispatcher: meddling }).open(key, { first: 0, last: 0 }), isUnavailable)
      assert.deepEqual(standIn.refusals, [code])
    })
  }

  it('refuses bytes other than those that were measured', async () => {
    standIn.refusals.length = 0
    const parcel = { ...parcelOf(folder, Buffer.from('abc')), sha256: parcelOf(folder, Buffer.from('abd')).sha256 }
    await assert.rejects(storeWith().keep(key, parcel), isUnavailable)
    assert.deepEqual(standIn.refusals, ['XAmzContentSHA256Mismatch'])
  })

  it('that is not there is away', async () => {
    const store = storeWith({ endpoint: 'http://127.0.0.1:1' })
    await assert.rejects(store.open(key, null), isUnavailable)
    await assert.rejects(store.keep(key, parcelOf(folder, Buffer.from('x'))), isUnavailable)
  })
})

for (const [name, open] of [['the disk', () => createDiskStore(join(folder, 'disk'))], ['an S3 store', () => storeWith()]] as const) {
  it(`${name} gives the first byte alone`, async () => {
    const key = 'cd'.repeat(24)
    await open().keep(key, parcelOf(folder, Buffer.from('xyz')))
    const stream = await open().open(key, { first: 0, last: 0 })
    assert.ok(stream !== null)
    assert.equal(await text(stream), 'x')
  })
}

it('a store that misreads a range is never believed', async () => {
  const key = 'ef'.repeat(24)
  const store = createS3Store({ endpoint: real.url, bucket: 'files', region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', dispatcher, now: systemClock })
  await store.keep(key, parcelOf(folder, Buffer.from('xyz')))
  // This server takes "bytes=0-0" for the whole object.
  await assert.rejects(store.open(key, { first: 0, last: 0 }), (error) => error instanceof AppError && error.code === 'overloaded')
})

class Meddler extends Dispatcher {
  readonly #change: (options: Dispatcher.DispatchOptions) => Dispatcher.DispatchOptions
  constructor(change: (options: Dispatcher.DispatchOptions) => Dispatcher.DispatchOptions) {
    super()
    this.#change = change
  }
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return dispatcher.dispatch(this.#change(options), handler)
  }
}

let real: { readonly server: S3rver; readonly url: string }
before(async () => {
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: join(folder, 's3'), configureBuckets: [{ name: 'files', configs: [] }] })
  const { port } = await server.run()
  real = { server, url: `http://127.0.0.1:${port}` }
})
after(() => real.server.close())

describeStore('an S3 server', () => createS3Store({ endpoint: real.url, bucket: 'files', region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', dispatcher, now: systemClock }))
