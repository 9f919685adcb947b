import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { beforeEach, describe, it } from 'node:test'
import { refusedWith } from '../../../test/harness/refusal.ts'
import { newId, publicId } from '../../lib/ids.ts'
import { deleteFile } from './delete-file.ts'
import { saveOutput } from './save-output.ts'
import { sweepFiles } from './sweep.ts'
import { away, openFileBed } from './testing/bed.ts'

const bed = await openFileBed()
const { deps, owner, stranger, clock, bytesOf } = bed

beforeEach(async () => {
  const { rows } = await deps.database.query<{ id: string }>('select id from files')
  for (const { id } of rows) await deleteFile(deps, owner, publicId('file', id))
})

describe('an output of a paid call', () => {
  it('becomes a file of the account with its source', async () => {
    const record = await saveOutput(
      deps,
      owner,
      { filename: 'shot.png', source: 'render/scrape' },
      Readable.from([Buffer.alloc(30), Buffer.alloc(30)]),
    )
    assert.deepEqual([record.size, record.mime, record.source], [60, 'image/png', 'render/scrape'])
    assert.equal((await bytesOf(record.file_id)).length, 60)
  })

  it('of repeated work is one file, the last one, and uses space once', async () => {
    const id = newId(clock())
    const save = (sizeBytes: number, who = owner) =>
      saveOutput(
        deps,
        who,
        { id, filename: 'demo.mp4', source: 'core/produce_demo' },
        Readable.from([Buffer.alloc(sizeBytes)]),
      )
    const first = await save(60)
    const second = await save(80)
    assert.deepEqual([first.file_id, second.file_id], [publicId('file', id), publicId('file', id)])
    assert.equal((await bytesOf(second.file_id)).length, 80)
    assert.equal(await bed.used(), 80)
    // With another account's id, nothing is replaced.
    await assert.rejects(save(10, stranger))
    assert.equal((await bytesOf(second.file_id)).length, 80)
    await sweepFiles(deps)
    assert.equal(bed.objects().length, 1)
  })

  it('that would not fit is rejected before reading; a replacement of itself fits', async () => {
    const id = newId(clock())
    const facts = { id, filename: 'film.mp4', source: 'core/produce_demo' }
    await saveOutput(
      deps,
      owner,
      { ...facts, expectedBytes: 1_000 },
      Readable.from([Buffer.alloc(1_000)]),
    )
    await bed.upload(600)
    const unread = new PassThrough()
    for (const [expectedBytes, code] of [
      [401, 'storage_quota_exceeded'],
      [1_001, 'file_too_large'],
    ] as const) {
      await assert.rejects(
        saveOutput(deps, owner, { filename: 'a', source: 'url', expectedBytes }, unread),
        refusedWith(code),
      )
    }
    assert.equal(unread.listenerCount('data'), 0)
    assert.equal(
      (
        await saveOutput(
          deps,
          owner,
          { ...facts, expectedBytes: 1_000 },
          Readable.from([Buffer.alloc(1_000, 1)]),
        )
      ).size,
      1_000,
    )
    assert.equal(await bed.used(), 1_600)
    assert.equal((await sweepFiles(deps)).objects, 1)
  })

  it('that does not fit is not stored and uses no space', async () => {
    await bed.upload(1_000)
    await bed.upload(900)
    await assert.rejects(
      saveOutput(deps, owner, { filename: 'a', source: 'x/y' }, Readable.from([Buffer.alloc(101)])),
      refusedWith('storage_quota_exceeded'),
    )
    await assert.rejects(
      saveOutput(
        deps,
        owner,
        { filename: 'a', source: 'x/y' },
        Readable.from([Buffer.alloc(1_001)]),
      ),
      refusedWith('file_too_large'),
    )
    await assert.rejects(
      saveOutput(
        { ...deps, store: { ...deps.store, put: away } },
        owner,
        { filename: 'a', source: 'x/y' },
        Readable.from([Buffer.alloc(100)]),
      ),
      refusedWith('overloaded'),
    )
    assert.deepEqual([await bed.used(), bed.objects(), bed.arriving()], [1_900, [], []])
  })
})
