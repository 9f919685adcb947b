import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { AppError } from '../../errors/app-error.ts'
import { newId } from '../../lib/ids.ts'
import type { BoxesDeps } from './boxes-deps.ts'
import { createSessionBox } from './session-box.ts'
import { findTestIsolation } from './testing/find-isolation.ts'
import { openTestBoxes } from './testing/open-test-boxes.ts'

const isolation = await findTestIsolation()
const folder = mkdtempSync(join(tmpdir(), 'tollgate-snapshots-'))
cleanUp(() => rmSync(folder, { recursive: true }))

/** The files in the folder that this process has open. */
function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${number}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      return []
    }
  })
}

it('opens no snapshot for a session that finds no place', { skip: isolation.skip }, async () => {
  writeFileSync(join(folder, 'snap_1.tar'), 'archive')
  const deps = await openTestBoxes(isolation)
  const full: BoxesDeps = {
    ...deps,
    snapshots: folder,
    host: { ...deps.host, open: () => Promise.reject(new AppError('overloaded')) },
  }
  const id = `${newId(1).slice(0, -6)}abcdef`
  const order = { id, template: undefined, snapshot: 'snap_1', envs: {}, lifeMs: 60_000 }
  const made = createSessionBox(full, 'boxd', newId(1)).create(order)
  await assert.rejects(made, { code: 'overloaded' })
  for (let turns = 0; turns < 50; turns += 1) await turn()
  assert.deepEqual(openFiles(), [])
})
