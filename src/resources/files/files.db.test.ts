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
import { fillSlot } from './fill-slot.ts'
import { findFile, findLinked } from './find-file.ts'
import { listFiles, type FileFilter } from './list-files.ts'
import { receive } from './receive.ts'
import { sharedSecret } from './shared-secret.ts'
import { storeParcel } from './store-parcel.ts'
import type { Store } from './store.ts'
import { sweepFiles } from './sweep.ts'
import { away, linkOf, LIMITS, openFileBed } from './testing/bed.ts'

const bed = await openFileBed()
const { context, owner, stranger, clock, bytesOf } = bed
const ALL: FileFilter = { tags: [], query: null, limit: 100, cursor: null }

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
const failing = (store: Partial<Store>) => ({ ...context, store: { ...context.store, ...store } })
beforeEach(async () => {
  const { rows } = await context.database.query<{
    id: string
    account_id: string
    mode: 'live' | 'test'
  }>('select id, account_id, mode from files')
  for (const row of rows)
    await deleteFile(
      context,
      { accountId: row.account_id, mode: row.mode, keyId: null, scope: 'account' },
      publicId('file', row.id),
    )
})

describe('an upload', () => {
  it('is a file with its size and SHA-256 once all bytes have come', async () => {
    const bytes = randomBytes(700)
    const slot = await bed.slot(700, { filename: 'plan.pdf', tags: ['a', 'b', 'a'], note: 'n' })
    await assert.rejects(
      findFile(context.database, owner, publicId('file', slot.id)),
      refusedWith('unknown_file'),
    )
    const record = await bed.fill(slot, bytes)
    assert.deepEqual(
      [record.size, record.sha256, record.mime, record.tags, record.note, record.source],
      [700, sha256(bytes).toString('hex'), 'application/pdf', ['a', 'b'], 'n', 'upload'],
    )
    assert.deepEqual(await bytesOf(record.file_id), bytes)
    assert.equal(Date.parse(record.expires_at), clock() + HOUR_MS)
  })

  it('of nothing is an empty file', async () => {
    assert.equal((await bed.file(Buffer.alloc(0))).size, 0)
  })

  for (const [name, sent, arrival] of [
    ['that ends early', 99, {}],
    ['that goes on', 101, {}],
    ['that announces another size', 100, { announcedBytes: 99 }],
    ['that announces another hash', 100, { sha256: Buffer.alloc(32) }],
  ] as const) {
    it(`${name} is no file, leaves nothing behind, and the slot takes the right bytes afterwards`, async () => {
      const slot = await bed.slot(100)
      await assert.rejects(
        bed.fill(slot, Buffer.alloc(sent, 1), arrival),
        refusedWith('upload_mismatch'),
      )
      assert.deepEqual(
        [bed.objects(), bed.arriving(), (await listFiles(context, owner, ALL)).files],
        [[], [], []],
      )
      assert.equal((await bed.fill(slot, Buffer.alloc(100, 2))).size, 100)
    })
  }

  it('that breaks off is no file and leaves nothing behind', async () => {
    const slot = await bed.slot(100)
    const broken = async function* () {
      yield Buffer.alloc(60)
      throw new RangeError('gone')
    }
    await assert.rejects(bed.fill(slot, Readable.from(broken())), RangeError)
    assert.deepEqual([bed.objects(), bed.arriving(), await bed.used()], [[], [], 100])
  })

  it('must have the hash that its slot was made with', async () => {
    const bytes = randomBytes(50)
    const slot = await bed.slot(50, { sha256: sha256(bytes) })
    await assert.rejects(bed.fill(slot, randomBytes(50)), refusedWith('upload_mismatch'))
    assert.equal((await bed.fill(slot, bytes)).sha256, sha256(bytes).toString('hex'))
  })

  it('that is sent again changes nothing, and other bytes are refused', async () => {
    const bytes = randomBytes(50)
    const slot = await bed.slot(50)
    const first = await bed.fill(slot, bytes)
    assert.equal((await bed.fill(slot, bytes)).sha256, first.sha256)
    await assert.rejects(bed.fill(slot, randomBytes(50)), refusedWith('upload_mismatch'))
    assert.equal(bed.objects().length, 1)
  })

  it('races with others to one slot: one set of bytes is the file, the others are told, and none of them is left', async () => {
    const slot = await bed.slot(200)
    const sent = Array.from({ length: 8 }, (_, index) => Buffer.alloc(200, index))
    const results = await Promise.allSettled(sent.map((bytes) => bed.fill(slot, bytes)))
    const won = results.findIndex(({ status }) => status === 'fulfilled')
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.ok(
      results.every(
        (result) => result.status === 'fulfilled' || refusedWith('upload_mismatch')(result.reason),
      ),
    )
    assert.deepEqual(await bytesOf(publicId('file', slot.id)), sent[won])
    assert.deepEqual([bed.objects().length, bed.arriving()], [1, []])
  })

  it('whose slot is deleted meanwhile is no file', async () => {
    const slot = await bed.slot(100)
    const body = new PassThrough()
    body.write(Buffer.alloc(60))
    // Heard from the beginning: the slot may be gone before its first byte is taken.
    const refused = assert.rejects(bed.fill(slot, body), refusedWith('unknown_file'))
    await deleteFile(context, owner, publicId('file', slot.id))
    body.end(Buffer.alloc(40))
    await refused
    assert.deepEqual([bed.objects(), await bed.used()], [[], 0])
  })
})

describe('the room of an account', () => {
  it('is never passed, by not one byte, by 1000 racing uploads, and all of it can be used', async () => {
    const results = await Promise.allSettled(Array.from({ length: 1_000 }, () => bed.slot(7)))
    const made = results.filter(({ status }) => status === 'fulfilled').length
    assert.equal(made, Math.floor(LIMITS.maxAccountBytes / 7))
    assert.ok(
      results.every(
        (result) =>
          result.status === 'fulfilled' || refusedWith('storage_quota_exceeded')(result.reason),
      ),
    )
    const left = LIMITS.maxAccountBytes - made * 7
    await bed.slot(left)
    await assert.rejects(
      bed.slot(1),
      (error: AppError & ErrorFacts) =>
        error.code === 'storage_quota_exceeded' &&
        error.details?.['used_bytes'] === LIMITS.maxAccountBytes,
    )
    assert.equal(await bed.used(), LIMITS.maxAccountBytes)
    assert.equal((await bed.slot(0)).size_bytes, 0n)
  })

  it('stays the sum of the files while slots are made, filled, deleted and swept at once', async () => {
    const work = Array.from({ length: 60 }, async (_, index) => {
      const bytes = Buffer.alloc(50 + index, 1)
      const slot = await bed.slot(bytes.length)
      if (index % 3 === 0) return bed.fill(slot, bytes)
      return index % 3 === 1
        ? deleteFile(context, owner, publicId('file', slot.id))
        : sweepFiles(context)
    })
    await Promise.allSettled(work)
    assert.ok((await bed.used()) <= LIMITS.maxAccountBytes)
  })

  it('is not taken by a file above the limit of one file', async () => {
    await assert.rejects(bed.slot(LIMITS.maxFileBytes + 1), refusedWith('file_too_large'))
    assert.equal(await bed.used(), 0)
  })

  it('is each account’s own, and live and test are apart', async () => {
    const testing = { ...owner, mode: 'test' } as const
    await Promise.all([
      bed.slot(1_000),
      bed.slot(1_000),
      bed.slot(1_000, { owner: stranger }),
      bed.slot(1_000, { owner: testing }),
    ])
    assert.deepEqual(
      [await bed.used(), await bed.used(stranger), await bed.used(testing)],
      [2_000, 1_000, 1_000],
    )
  })

  it('is free again once a file is deleted, also when the store is away; the sweep removes the bytes then', async () => {
    const { file_id: fileId } = await bed.file(Buffer.alloc(900))
    assert.equal(await deleteFile(failing({ remove: away }), owner, fileId), 900)
    assert.deepEqual([await bed.used(), bed.objects().length], [0, 1])
    await assert.rejects(sweepFiles(failing({ remove: away })), refusedWith('overloaded'))
    assert.equal((await sweepFiles(context)).objects, 1)
    assert.deepEqual([bed.objects(), (await sweepFiles(context)).objects], [[], 0])
  })
})

describe('somebody else’s file', () => {
  it('is answered exactly as a missing one, to strangers and to the account’s own test keys', async () => {
    const { file_id: fileId } = await bed.file(Buffer.alloc(10))
    const slot = await bed.slot(10)
    const missing = publicId('file', slot.id.replace(/^./, 'f'))
    const answers = new Set<string>()
    for (const who of [stranger, { ...owner, mode: 'test' } as const]) {
      for (const id of [
        fileId,
        missing,
        publicId('file', slot.id),
        'invalidSetting',
        'file_\u0000',
      ]) {
        for (const ask of [
          () => findFile(context.database, who, id),
          () => deleteFile(context, who, id),
        ]) {
          await assert.rejects(
            ask,
            (error: AppError) => answers.add(`${error.code} ${error.message}`) !== undefined,
          )
        }
      }
      assert.deepEqual((await listFiles(context, who, ALL)).files, [])
    }
    assert.deepEqual([...answers], ['unknown_file Unknown file.'])
    assert.equal((await bytesOf(fileId)).length, 10)
  })
})

describe('the list', () => {
  it('finds by all tags, by part of the name in whatever case, and pages newest first', async () => {
    for (const [filename, tags] of [
      ['Plan A.txt', ['x']],
      ['plan_b.txt', ['x', 'y']],
      ['100%.txt', ['y']],
    ] as const) {
      clock.advance(1)
      await bed.file(Buffer.alloc(1), { filename, tags })
    }
    await bed.slot(1, { filename: 'plan that never came.txt', tags: ['x', 'y'] })
    const names = async (filter: Partial<FileFilter>) =>
      (await listFiles(context, owner, { ...ALL, ...filter })).files.map(({ filename }) => filename)
    assert.deepEqual(await names({}), ['100%.txt', 'plan_b.txt', 'Plan A.txt'])
    assert.deepEqual(await names({ tags: ['x'] }), ['plan_b.txt', 'Plan A.txt'])
    assert.deepEqual(await names({ tags: ['y', 'x'] }), ['plan_b.txt'])
    assert.deepEqual(await names({ query: 'PLAN' }), ['plan_b.txt', 'Plan A.txt'])
    assert.deepEqual(await names({ query: '%' }), ['100%.txt'])
    assert.deepEqual(await names({ query: '_' }), ['plan_b.txt'])
    const first = await listFiles(context, owner, { ...ALL, limit: 2 })
    assert.deepEqual(await names({ limit: 2, cursor: first.nextCursor }), ['Plan A.txt'])
    assert.deepEqual(
      [
        (await listFiles(context, owner, { ...ALL, limit: 3 })).nextCursor,
        (await listFiles(context, owner, { ...ALL, limit: 2, cursor: first.nextCursor }))
          .nextCursor,
      ],
      [null, null],
    )
    await assert.rejects(
      listFiles(context, owner, { ...ALL, cursor: 'x' }),
      refusedWith('invalid_params'),
    )
  })
})

describe('the sweep', () => {
  it('takes slots whose bytes never came two hours on, gives their room back, and leaves files and young slots', async () => {
    const { file_id: fileId } = await bed.file(Buffer.alloc(100))
    await bed.slot(300)
    clock.advance(HOUR_MS)
    const young = await bed.slot(400)
    clock.advance(HOUR_MS + 1)
    assert.equal((await sweepFiles(context)).slots, 1)
    assert.equal(await bed.used(), 500)
    assert.equal((await findLinked(context.database, young)).id, young.id)
    assert.equal((await bytesOf(fileId)).length, 100)
  })

  it('removes what a process that died had put into the store without making it a file', async () => {
    const slot = await bed.slot(100)
    const dying = {
      ...context,
      store: {
        ...context.store,
        async keep(key: string, parcel: Parameters<Store['keep']>[1]) {
          await context.store.keep(key, parcel)
          throw new RangeError('killed')
        },
      },
    }
    await assert.rejects(
      fillSlot(dying, linkOf(slot), {
        body: Readable.from([Buffer.alloc(100)]),
        announcedBytes: 100,
        sha256: null,
        signal: new AbortController().signal,
        idleMs: 10_000,
      }),
      RangeError,
    )
    assert.equal(bed.objects().length, 1)
    assert.equal((await sweepFiles(context)).objects, 0)
    clock.advance(HOUR_MS + 1)
    assert.equal((await sweepFiles(context)).objects, 1)
    assert.deepEqual(bed.objects(), [])
  })

  it('leaves a file that the store takes an hour to keep, and once it is due keeps it from becoming one', async () => {
    const slot = await bed.slot(3)
    const during = (ms: number): typeof context =>
      failing({
        async keep(key, parcel) {
          await context.store.keep(key, parcel)
          clock.advance(ms)
          await sweepFiles(context)
        },
      })
    const parcel = () =>
      receive(Readable.from([Buffer.from('abc')]), {
        folder: context.incoming,
        maxBytes: 10,
        signal: new AbortController().signal,
        idleMs: 60_000,
      })
    const id = parsePublicId('file', publicId('file', slot.id)) ?? ''
    assert.equal(await storeParcel(during(HOUR_MS), id, await parcel()), null)
    assert.deepEqual(bed.objects(), [])
    assert.equal((await storeParcel(during(HOUR_MS - 1), id, await parcel()))?.id, id)
    assert.equal((await bytesOf(publicId('file', id))).toString(), 'abc')
  })

  it('is not kept from the others by an object that cannot be removed, and says that there is one', async () => {
    const before = bed.objects().length
    for (const note of ['a', 'b', 'c'])
      await deleteFile(
        failing({ remove: away }),
        owner,
        (await bed.file(randomBytes(10), { note })).file_id,
      )
    const [stuck] = (
      await context.database.query<{ key: string }>(
        'select key from loose_objects order by due_at, key',
      )
    ).rows
    const remove = (key: string): Promise<void> =>
      key === stuck?.key ? away() : context.store.remove(key)
    await assert.rejects(sweepFiles(failing({ remove })), refusedWith('overloaded'))
    assert.equal(bed.objects().length, before + 1)
    assert.equal((await sweepFiles(context)).objects, 1)
    assert.equal(bed.objects().length, before)
  })

  it('gives a slot of an old id its two hours: an output of a long job has the job’s', async () => {
    const slot = await bed.slot(10, { id: firstIdAt(clock() - 10 * HOUR_MS) })
    assert.equal((await sweepFiles(context)).slots, 0)
    assert.equal((await bed.fill(slot, Buffer.alloc(10))).size, 10)
  })

  it('removes half-received bytes that nobody has written to for two hours', async () => {
    await bed.file(Buffer.alloc(1))
    for (const [name, seconds] of [
      ['left-behind', -1],
      ['young', 1],
    ] as const) {
      writeFileSync(join(context.incoming, name), 'x')
      utimesSync(join(context.incoming, name), 1, (clock() - 2 * HOUR_MS) / 1000 + seconds)
    }
    assert.equal((await sweepFiles(context)).parcels, 1)
    assert.deepEqual(bed.arriving(), ['young'])
  })
})

it('the secret of the links is the same for every process, and another one for another purpose', async () => {
  const secrets = await Promise.all(
    Array.from({ length: 5 }, () => sharedSecret(context.database, 'race')),
  )
  assert.equal(new Set(secrets.map((secret) => secret.toString('hex'))).size, 1)
  assert.notDeepEqual(secrets[0], await sharedSecret(context.database, 'other'))
})
