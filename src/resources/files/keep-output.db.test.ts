import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { beforeEach, describe, it } from 'node:test'
import { refusedWith } from '../../../test/harness/refusal.ts'
import { newId, publicId } from '../../lib/ids.ts'
import { deleteFile } from './delete-file.ts'
import { keepOutput } from './keep-output.ts'
import { sweepFiles } from './sweep.ts'
import { away, openFileBed } from './testing/bed.ts'

const bed = await openFileBed()
const { context, owner, stranger, clock, bytesOf } = bed

beforeEach(async () => {
  const { rows } = await context.database.query<{ id: string }>('select id from files')
  for (const { id } of rows) await deleteFile(context, owner, publicId('file', id))
})

describe('an output of a paid call', () => {
  it('is a file of the account with its source', async () => {
    const record = await keepOutput(
      context,
      owner,
      { filename: 'shot.png', source: 'render/scrape' },
      Readable.from([Buffer.alloc(30), Buffer.alloc(30)]),
    )
    assert.deepEqual([record.size, record.mime, record.source], [60, 'image/png', 'render/scrape'])
    assert.equal((await bytesOf(record.file_id)).length, 60)
  })

  it('of work that is done again is one file, the last one, and takes room once', async () => {
    const id = newId(clock())
    const keep = (sizeBytes: number, who = owner) =>
      keepOutput(
        context,
        who,
        { id, filename: 'demo.mp4', source: 'core/produce_demo' },
        Readable.from([Buffer.alloc(sizeBytes)]),
      )
    const first = await keep(60)
    const second = await keep(80)
    assert.deepEqual([first.file_id, second.file_id], [publicId('file', id), publicId('file', id)])
    assert.equal((await bytesOf(second.file_id)).length, 80)
    assert.equal(await bed.used(), 80)
    // Under somebody else's id nothing is taken away.
    await assert.rejects(keep(10, stranger))
    assert.equal((await bytesOf(second.file_id)).length, 80)
    await sweepFiles(context)
    assert.equal(bed.objects().length, 1)
  })

  it('that says how large it is, and would not fit, is refused before a byte is read; one that takes the place of its former self fits', async () => {
    const id = newId(clock())
    const facts = { id, filename: 'film.mp4', source: 'core/produce_demo' }
    await keepOutput(
      context,
      owner,
      { ...facts, expectedBytes: 1_000 },
      Readable.from([Buffer.alloc(1_000)]),
    )
    await bed.slot(600)
    const unread = new PassThrough()
    for (const [expectedBytes, code] of [
      [401, 'storage_quota_exceeded'],
      [1_001, 'file_too_large'],
    ] as const) {
      await assert.rejects(
        keepOutput(context, owner, { filename: 'a', source: 'url', expectedBytes }, unread),
        refusedWith(code),
      )
    }
    assert.equal(unread.listenerCount('data'), 0)
    assert.equal(
      (
        await keepOutput(
          context,
          owner,
          { ...facts, expectedBytes: 1_000 },
          Readable.from([Buffer.alloc(1_000, 1)]),
        )
      ).size,
      1_000,
    )
    assert.equal(await bed.used(), 1_600)
    assert.equal((await sweepFiles(context)).objects, 1)
  })

  it('that does not fit is not kept and takes no room', async () => {
    await bed.slot(1_000)
    await bed.slot(900)
    await assert.rejects(
      keepOutput(
        context,
        owner,
        { filename: 'a', source: 'x/y' },
        Readable.from([Buffer.alloc(101)]),
      ),
      refusedWith('storage_quota_exceeded'),
    )
    await assert.rejects(
      keepOutput(
        context,
        owner,
        { filename: 'a', source: 'x/y' },
        Readable.from([Buffer.alloc(1_001)]),
      ),
      refusedWith('file_too_large'),
    )
    await assert.rejects(
      keepOutput(
        { ...context, store: { ...context.store, keep: away } },
        owner,
        { filename: 'a', source: 'x/y' },
        Readable.from([Buffer.alloc(100)]),
      ),
      refusedWith('overloaded'),
    )
    assert.deepEqual([await bed.used(), bed.objects(), bed.arriving()], [1_900, [], []])
  })
})
