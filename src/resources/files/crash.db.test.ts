import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { HOUR_MS } from '../../lib/clock.ts'
import type { FileContext } from './context.ts'
import { createSlot } from './create-slot.ts'
import { deleteFile } from './delete-file.ts'
import { fillSlot, type Arrival } from './fill-slot.ts'
import { keepOutput } from './keep-output.ts'
import { listFiles, type FileFilter } from './list-files.ts'
import { sweepFiles } from './sweep.ts'
import { linkOf, openFileBed } from './testing/bed.ts'

const bed = await openFileBed()
const { context, owner, clock } = bed
const ALL: FileFilter = { tags: [], query: null, limit: 100, cursor: null }

/** The context of a process that dies before its next step, once it has taken `steps` of them. */
function dyingAfter(steps: number): FileContext {
  let left = steps
  const step = <Result>(work: () => Promise<Result>): Promise<Result> => {
    left -= 1
    return left < 0 ? Promise.reject(new RangeError('killed')) : work()
  }
  const { database, store } = context
  return {
    ...context,
    database: {
      ...database,
      query: (text, values, name) => step(() => database.query(text, values, name)),
    },
    store: {
      keep: (key, parcel) => step(() => store.keep(key, parcel)),
      open: (key, range) => step(() => store.open(key, range)),
      remove: (key) => step(() => store.remove(key)),
    },
  }
}

describe('a process that dies between any two steps', () => {
  const bytes = Buffer.alloc(100, 1)
  const arrival = (): Arrival => ({
    body: Readable.from([bytes]),
    announcedBytes: 100,
    sha256: null,
    signal: new AbortController().signal,
    idleMs: 10_000,
  })
  const lives: readonly (readonly [string, number, (process: FileContext) => Promise<unknown>])[] =
    [
      [
        'taking an upload',
        5,
        async (process) =>
          fillSlot(
            process,
            linkOf(
              await createSlot(process, owner, { filename: 'a', source: 'upload', sizeBytes: 100 }),
            ),
            arrival(),
          ),
      ],
      [
        'keeping an output',
        4,
        (process) => keepOutput(process, owner, { filename: 'a', source: 'x/y' }, arrival().body),
      ],
      [
        'deleting a file',
        3,
        async (process) => deleteFile(process, owner, (await bed.file(bytes)).file_id),
      ],
    ]
  for (const [what, steps, live] of lives) {
    it(`while ${what} leaves, once the sweep was there, exact room and no bytes but those of files`, async () => {
      for (let taken = 0; taken <= steps; taken += 1) {
        const done = await live(dyingAfter(taken)).then(
          () => true,
          () => false,
        )
        clock.advance(3 * HOUR_MS)
        await sweepFiles(context)
        const { files } = await listFiles(context, owner, ALL)
        assert.deepEqual(
          [await bed.used(), bed.objects().length],
          [files.length * 100, files.length],
          `after ${taken} steps`,
        )
        assert.equal((await context.database.query('select 1 from loose_objects')).count, 0)
        // A delete that died in the store's part of it had succeeded already.
        if (what !== 'deleting a file') assert.equal(done, taken === steps)
        for (const { file_id: fileId } of files) await deleteFile(context, owner, fileId)
      }
    })
  }
})
