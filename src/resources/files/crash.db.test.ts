import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { HOUR_MS } from '../../lib/clock.ts'
import type { FileDeps } from './file-deps.ts'
import { createUpload } from './create-upload.ts'
import { deleteFile } from './delete-file.ts'
import { fillUpload, type Arrival } from './fill-upload.ts'
import { saveOutput } from './save-output.ts'
import { listFiles, type FileFilter } from './list-files.ts'
import { sweepFiles } from './sweep.ts'
import { linkOf, openFileBed } from './testing/bed.ts'

const bed = await openFileBed()
const { deps, owner, clock } = bed
const ALL: FileFilter = { tags: [], query: null, limit: 100, cursor: null }

/** The dependencies of a process that dies after `steps` steps. */
function dyingAfter(steps: number): FileDeps {
  let left = steps
  const step = <Result>(work: () => Promise<Result>): Promise<Result> => {
    left -= 1
    return left < 0 ? Promise.reject(new RangeError('killed')) : work()
  }
  const { database, store } = deps
  return {
    ...deps,
    database: {
      ...database,
      query: (text, values, name) => step(() => database.query(text, values, name)),
    },
    store: {
      put: (key, received) => step(() => store.put(key, received)),
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
  const lives: readonly (readonly [string, number, (process: FileDeps) => Promise<unknown>])[] = [
    [
      'taking an upload',
      5,
      async (process) =>
        fillUpload(
          process,
          linkOf(
            await createUpload(process, owner, { filename: 'a', source: 'upload', sizeBytes: 100 }),
          ),
          arrival(),
        ),
    ],
    [
      'keeping an output',
      4,
      (process) => saveOutput(process, owner, { filename: 'a', source: 'x/y' }, arrival().body),
    ],
    [
      'deleting a file',
      3,
      async (process) => deleteFile(process, owner, (await bed.file(bytes)).file_id),
    ],
  ]
  for (const [what, steps, live] of lives) {
    it(`while ${what} leaves exact usage and no orphaned bytes after the sweep`, async () => {
      for (let taken = 0; taken <= steps; taken += 1) {
        const done = await live(dyingAfter(taken)).then(
          () => true,
          () => false,
        )
        clock.advance(3 * HOUR_MS)
        await sweepFiles(deps)
        const { files } = await listFiles(deps, owner, ALL)
        assert.deepEqual(
          [await bed.used(), bed.objects().length],
          [files.length * 100, files.length],
          `after ${taken} steps`,
        )
        assert.equal((await deps.database.query('select 1 from loose_objects')).count, 0)
        // A delete that died while removing the object had already succeeded.
        if (what !== 'deleting a file') assert.equal(done, taken === steps)
        for (const { file_id: fileId } of files) await deleteFile(deps, owner, fileId)
      }
    })
  }
})
