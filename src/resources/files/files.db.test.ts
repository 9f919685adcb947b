import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { beforeEach, describe, it } from 'node:test'
import { refusedWith } from '../../../test/harness/refusal.ts'
import { AppError, type ErrorFacts } from '../../errors/app-error.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import { firstIdAt, parsePublicId, publicId } from '../../lib/ids.ts'
import { deleteFile } from './delete-file.ts'
import { fillUpload } from './fill-upload.ts'
import { findFile, findLinked } from './find-file.ts'
import { listFiles, type FileFilter } from './list-files.ts'
import { receive } from './receive.ts'
import { sharedSecret } from './shared-secret.ts'
import { storeReceived } from './store-received.ts'
import type { Store } from './store.ts'
import { sweepFiles } from './sweep.ts'
import { away, linkOf, LIMITS, openFileBed } from './testing/bed.ts'

const bed = await openFileBed()
const { deps, owner, stranger, clock, bytesOf } = bed
const ALL: FileFilter = { tags: [], query: null, limit: 100, cursor: null }

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
const failing = (store: Partial<Store>) => ({ ...deps, store: { ...deps.store, ...store } })
beforeEach(async () => {
  const { rows } = await deps.database.query<{
    id: string
    account_id: string
    mode: 'live' | 'test'
  }>('select id, account_id, mode from files')
  for (const row of rows)
    await deleteFile(
      deps,
      { accountId: row.account_id, mode: row.mode, keyId: null, scope: 'account' },
      publicId('file', row.id),
    )
})

describe('an upload', () => {
  it('becomes a file with its size and SHA-256 once all bytes are received', async () => {
    const bytes = randomBytes(700)
    const upload = await bed.upload(700, { filename: 'plan.pdf', tags: ['a', 'b', 'a'], note: 'n' })
    await assert.rejects(
      findFile(deps.database, owner, publicId('file', upload.id)),
      refusedWith('unknown_file'),
    )
    const record = await bed.fill(upload, bytes)
    assert.deepEqual(
      [record.size, record.sha256, record.mime, record.tags, record.note, record.source],
      [700, sha256(bytes).toString('hex'), 'application/pdf', ['a', 'b'], 'n', 'upload'],
    )
    assert.deepEqual(await bytesOf(record.file_id), bytes)
    assert.equal(Date.parse(record.expires_at), clock() + HOUR_MS)
  })

  it('of no bytes becomes an empty file', async () => {
    assert.equal((await bed.file(Buffer.alloc(0))).size, 0)
  })

  for (const [name, sent, arrival] of [
    ['that ends early', 99, {}],
    ['that continues', 101, {}],
    ['that announces another size', 100, { announcedBytes: 99 }],
    ['that announces another hash', 100, { sha256: Buffer.alloc(32) }],
  ] as const) {
    it(`${name} becomes no file, leaves nothing behind, and can be repeated correctly`, async () => {
      const upload = await bed.upload(100)
      await assert.rejects(
        bed.fill(upload, Buffer.alloc(sent, 1), arrival),
        refusedWith('upload_mismatch'),
      )
      assert.deepEqual(
        [bed.objects(), bed.arriving(), (await listFiles(deps, owner, ALL)).files],
        [[], [], []],
      )
      assert.equal((await bed.fill(upload, Buffer.alloc(100, 2))).size, 100)
    })
  }

  it('that ends early becomes no file and leaves nothing behind', async () => {
    const upload = await bed.upload(100)
    const broken = async function* () {
      yield Buffer.alloc(60)
      throw new RangeError('gone')
    }
    await assert.rejects(bed.fill(upload, Readable.from(broken())), RangeError)
    assert.deepEqual([bed.objects(), bed.arriving(), await bed.used()], [[], [], 100])
  })

  it('must have the hash declared when it was created', async () => {
    const bytes = randomBytes(50)
    const upload = await bed.upload(50, { sha256: sha256(bytes) })
    await assert.rejects(bed.fill(upload, randomBytes(50)), refusedWith('upload_mismatch'))
    assert.equal((await bed.fill(upload, bytes)).sha256, sha256(bytes).toString('hex'))
  })

  it('of any size reserves the declared size before its first byte, and is a file of that size', async () => {
    const link = { ...linkOf(await bed.upload(0)), sizeBytes: null }
    const arrival = { sha256: null, signal: new AbortController().signal, idleMs: 10_000 }
    const send = (bytes: Buffer, announcedBytes: number | null = bytes.length) =>
      fillUpload(deps, link, { ...arrival, body: Readable.from([bytes]), announcedBytes })
    await assert.rejects(send(Buffer.alloc(10), null), refusedWith('upload_mismatch'))
    await assert.rejects(send(Buffer.alloc(1_001)), refusedWith('file_too_large'))
    const others = [await bed.file(Buffer.alloc(900)), await bed.file(Buffer.alloc(900))]
    await assert.rejects(send(Buffer.alloc(300)), refusedWith('storage_quota_exceeded'))
    await deleteFile(deps, owner, others[0]?.file_id ?? '')
    // More or fewer bytes than declared: the upload stays open, and can be repeated.
    await assert.rejects(send(Buffer.alloc(20), 10), refusedWith('upload_mismatch'))
    const bytes = randomBytes(300)
    const record = await send(bytes)
    assert.deepEqual([record.size, await bytesOf(record.file_id)], [300, bytes])
    assert.equal(await bed.used(), 1_200)
    assert.equal((await send(bytes)).file_id, record.file_id)
    await assert.rejects(send(Buffer.alloc(300, 1)), refusedWith('upload_mismatch'))
    await assert.rejects(send(Buffer.alloc(5)), refusedWith('upload_mismatch'))
    assert.equal(await bed.used(), 1_200)
  })

  it('of any size, racing with another size, is one of them whole', async () => {
    const link = { ...linkOf(await bed.upload(0)), sizeBytes: null }
    const ends = await Promise.allSettled(
      [100, 200, 300].map((size) =>
        fillUpload(deps, link, {
          body: Readable.from([Buffer.alloc(size, size)]),
          announcedBytes: size,
          sha256: null,
          signal: new AbortController().signal,
          idleMs: 10_000,
        }),
      ),
    )
    const stored = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
    for (const { size, file_id: id } of stored) assert.equal((await bytesOf(id)).length, size)
    assert.ok(stored.length <= 1)
    assert.equal(bed.objects().length, stored.length)
    await bed.used()
  })

  it('sent again changes nothing, and other bytes are rejected', async () => {
    const bytes = randomBytes(50)
    const upload = await bed.upload(50)
    const first = await bed.fill(upload, bytes)
    assert.equal((await bed.fill(upload, bytes)).sha256, first.sha256)
    await assert.rejects(bed.fill(upload, randomBytes(50)), refusedWith('upload_mismatch'))
    assert.equal(bed.objects().length, 1)
  })

  it('racing with others: one becomes the file, the others fail and leave nothing behind', async () => {
    const upload = await bed.upload(200)
    const sent = Array.from({ length: 8 }, (_, index) => Buffer.alloc(200, index))
    const results = await Promise.allSettled(sent.map((bytes) => bed.fill(upload, bytes)))
    const won = results.findIndex(({ status }) => status === 'fulfilled')
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.ok(
      results.every(
        (result) => result.status === 'fulfilled' || refusedWith('upload_mismatch')(result.reason),
      ),
    )
    assert.deepEqual(await bytesOf(publicId('file', upload.id)), sent[won])
    assert.deepEqual([bed.objects().length, bed.arriving()], [1, []])
  })

  it('deleted meanwhile becomes no file', async () => {
    const upload = await bed.upload(100)
    const body = new PassThrough()
    body.write(Buffer.alloc(60))
    // Observed from the start: the upload may be deleted before its first byte is received.
    const refused = assert.rejects(bed.fill(upload, body), refusedWith('unknown_file'))
    await deleteFile(deps, owner, publicId('file', upload.id))
    body.end(Buffer.alloc(40))
    await refused
    assert.deepEqual([bed.objects(), await bed.used()], [[], 0])
  })
})

describe('the quota of an account', () => {
  it('is never exceeded by 1000 racing uploads, and can be used completely', async () => {
    const results = await Promise.allSettled(Array.from({ length: 1_000 }, () => bed.upload(7)))
    const made = results.filter(({ status }) => status === 'fulfilled').length
    assert.equal(made, Math.floor(LIMITS.maxAccountBytes / 7))
    assert.ok(
      results.every(
        (result) =>
          result.status === 'fulfilled' || refusedWith('storage_quota_exceeded')(result.reason),
      ),
    )
    const left = LIMITS.maxAccountBytes - made * 7
    await bed.upload(left)
    await assert.rejects(
      bed.upload(1),
      (error: AppError & ErrorFacts) =>
        error.code === 'storage_quota_exceeded' &&
        error.details?.['used_bytes'] === LIMITS.maxAccountBytes,
    )
    assert.equal(await bed.used(), LIMITS.maxAccountBytes)
    assert.equal((await bed.upload(0)).size_bytes, 0n)
  })

  it('equals the sum of the files during concurrent creates, fills, deletes and sweeps', async () => {
    const work = Array.from({ length: 60 }, async (_, index) => {
      const bytes = Buffer.alloc(50 + index, 1)
      const upload = await bed.upload(bytes.length)
      if (index % 3 === 0) return bed.fill(upload, bytes)
      return index % 3 === 1
        ? deleteFile(deps, owner, publicId('file', upload.id))
        : sweepFiles(deps)
    })
    await Promise.allSettled(work)
    assert.ok((await bed.used()) <= LIMITS.maxAccountBytes)
  })

  it('is not used by a file above the size limit', async () => {
    await assert.rejects(bed.upload(LIMITS.maxFileBytes + 1), refusedWith('file_too_large'))
    assert.equal(await bed.used(), 0)
  })

  it('is separate for each account, live and test', async () => {
    const testing = { ...owner, mode: 'test' } as const
    await Promise.all([
      bed.upload(1_000),
      bed.upload(1_000),
      bed.upload(1_000, { owner: stranger }),
      bed.upload(1_000, { owner: testing }),
    ])
    assert.deepEqual(
      [await bed.used(), await bed.used(stranger), await bed.used(testing)],
      [2_000, 1_000, 1_000],
    )
  })

  it('is released when a file is deleted, even if the store is unavailable', async () => {
    const { file_id: fileId } = await bed.file(Buffer.alloc(900))
    assert.equal(await deleteFile(failing({ remove: away }), owner, fileId), 900)
    assert.deepEqual([await bed.used(), bed.objects().length], [0, 1])
    await assert.rejects(sweepFiles(failing({ remove: away })), refusedWith('overloaded'))
    assert.equal((await sweepFiles(deps)).objects, 1)
    assert.deepEqual([bed.objects(), (await sweepFiles(deps)).objects], [[], 0])
  })
})

describe('another account’s file', () => {
  it('looks like a missing one to other accounts and to the account’s test keys', async () => {
    const { file_id: fileId } = await bed.file(Buffer.alloc(10))
    const upload = await bed.upload(10)
    const missing = publicId('file', upload.id.replace(/^./, 'f'))
    const answers = new Set<string>()
    for (const who of [stranger, { ...owner, mode: 'test' } as const]) {
      for (const id of [fileId, missing, publicId('file', upload.id), 'nonsense', 'file_\u0000']) {
        for (const ask of [
          () => findFile(deps.database, who, id),
          () => deleteFile(deps, who, id),
        ]) {
          await assert.rejects(
            ask,
            (error: AppError) => answers.add(`${error.code} ${error.message}`) !== undefined,
          )
        }
      }
      assert.deepEqual((await listFiles(deps, who, ALL)).files, [])
    }
    assert.deepEqual([...answers], ['unknown_file Unknown file.'])
    assert.equal((await bytesOf(fileId)).length, 10)
  })
})

describe('the list', () => {
  it('finds by all tags and by part of the name, ignoring case, newest first', async () => {
    for (const [filename, tags] of [
      ['Plan A.txt', ['x']],
      ['plan_b.txt', ['x', 'y']],
      ['100%.txt', ['y']],
    ] as const) {
      clock.advance(1)
      await bed.file(Buffer.alloc(1), { filename, tags })
    }
    await bed.upload(1, { filename: 'plan that never came.txt', tags: ['x', 'y'] })
    const names = async (filter: Partial<FileFilter>) =>
      (await listFiles(deps, owner, { ...ALL, ...filter })).files.map(({ filename }) => filename)
    assert.deepEqual(await names({}), ['100%.txt', 'plan_b.txt', 'Plan A.txt'])
    assert.deepEqual(await names({ tags: ['x'] }), ['plan_b.txt', 'Plan A.txt'])
    assert.deepEqual(await names({ tags: ['y', 'x'] }), ['plan_b.txt'])
    assert.deepEqual(await names({ query: 'PLAN' }), ['plan_b.txt', 'Plan A.txt'])
    assert.deepEqual(await names({ query: '%' }), ['100%.txt'])
    assert.deepEqual(await names({ query: '_' }), ['plan_b.txt'])
    const first = await listFiles(deps, owner, { ...ALL, limit: 2 })
    assert.deepEqual(await names({ limit: 2, cursor: first.nextCursor }), ['Plan A.txt'])
    assert.deepEqual(
      [
        (await listFiles(deps, owner, { ...ALL, limit: 3 })).nextCursor,
        (await listFiles(deps, owner, { ...ALL, limit: 2, cursor: first.nextCursor })).nextCursor,
      ],
      [null, null],
    )
    await assert.rejects(
      listFiles(deps, owner, { ...ALL, cursor: 'x' }),
      refusedWith('invalid_params'),
    )
  })
})

describe('the sweep', () => {
  it('removes open uploads after two hours, and keeps files and newer uploads', async () => {
    const { file_id: fileId } = await bed.file(Buffer.alloc(100))
    await bed.upload(300)
    clock.advance(HOUR_MS)
    const young = await bed.upload(400)
    clock.advance(HOUR_MS + 1)
    assert.equal((await sweepFiles(deps)).uploads, 1)
    assert.equal(await bed.used(), 500)
    assert.equal((await findLinked(deps.database, young)).id, young.id)
    assert.equal((await bytesOf(fileId)).length, 100)
  })

  it('removes objects that a dead process stored without a file', async () => {
    const upload = await bed.upload(100)
    const dying = {
      ...deps,
      store: {
        ...deps.store,
        async put(key: string, received: Parameters<Store['put']>[1]) {
          await deps.store.put(key, received)
          throw new RangeError('killed')
        },
      },
    }
    await assert.rejects(
      fillUpload(dying, linkOf(upload), {
        body: Readable.from([Buffer.alloc(100)]),
        announcedBytes: 100,
        sha256: null,
        signal: new AbortController().signal,
        idleMs: 10_000,
      }),
      RangeError,
    )
    assert.equal(bed.objects().length, 1)
    assert.equal((await sweepFiles(deps)).objects, 0)
    clock.advance(HOUR_MS + 1)
    assert.equal((await sweepFiles(deps)).objects, 1)
    assert.deepEqual(bed.objects(), [])
  })

  it('keeps an object that takes an hour to store, and prevents its adoption once due', async () => {
    const upload = await bed.upload(3)
    const during = (ms: number): typeof deps =>
      failing({
        async put(key, received) {
          await deps.store.put(key, received)
          clock.advance(ms)
          await sweepFiles(deps)
        },
      })
    const received = () =>
      receive(Readable.from([Buffer.from('abc')]), {
        folder: deps.incoming,
        maxBytes: 10,
        signal: new AbortController().signal,
        idleMs: 60_000,
      })
    const id = parsePublicId('file', publicId('file', upload.id)) ?? ''
    assert.equal(await storeReceived(during(HOUR_MS), id, await received()), null)
    assert.deepEqual(bed.objects(), [])
    assert.equal((await storeReceived(during(HOUR_MS - 1), id, await received()))?.id, id)
    assert.equal((await bytesOf(publicId('file', id))).toString(), 'abc')
  })

  it('removes the other objects when one cannot be removed, and reports that', async () => {
    const before = bed.objects().length
    for (const note of ['a', 'b', 'c'])
      await deleteFile(
        failing({ remove: away }),
        owner,
        (await bed.file(randomBytes(10), { note })).file_id,
      )
    const [stuck] = (
      await deps.database.query<{ key: string }>(
        'select key from loose_objects order by due_at, key',
      )
    ).rows
    const remove = (key: string): Promise<void> =>
      key === stuck?.key ? away() : deps.store.remove(key)
    await assert.rejects(sweepFiles(failing({ remove })), refusedWith('overloaded'))
    assert.equal(bed.objects().length, before + 1)
    assert.equal((await sweepFiles(deps)).objects, 1)
    assert.equal(bed.objects().length, before)
  })

  it("keeps an upload with an old id, such as a long job's, for two hours", async () => {
    const upload = await bed.upload(10, { id: firstIdAt(clock() - 10 * HOUR_MS) })
    assert.equal((await sweepFiles(deps)).uploads, 0)
    assert.equal((await bed.fill(upload, Buffer.alloc(10))).size, 10)
  })

  it('removes partly received files without a write for two hours', async () => {
    await bed.file(Buffer.alloc(1))
    for (const [name, seconds] of [
      ['left-behind', -1],
      ['young', 1],
    ] as const) {
      writeFileSync(join(deps.incoming, name), 'x')
      utimesSync(join(deps.incoming, name), 1, (clock() - 2 * HOUR_MS) / 1000 + seconds)
    }
    assert.equal((await sweepFiles(deps)).received, 1)
    assert.deepEqual(bed.arriving(), ['young'])
  })
})

it('shares the link secret between processes, but not between purposes', async () => {
  const secrets = await Promise.all(
    Array.from({ length: 5 }, () => sharedSecret(deps.database, 'race')),
  )
  assert.equal(new Set(secrets.map((secret) => secret.toString('hex'))).size, 1)
  assert.notDeepEqual(secrets[0], await sharedSecret(deps.database, 'other'))
})
