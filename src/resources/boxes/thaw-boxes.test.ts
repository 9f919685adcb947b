import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { removeControlGroups } from '../../lib/machine/control-groups.ts'
import { findTestIsolation } from './testing/find-isolation.ts'

const { groups, skip } = await findTestIsolation()
const canFreeze = groups.controllers.has('freezer')
const program = fileURLToPath(new URL('testing/hold-session.ts', import.meta.url))

it(
  'ends the frozen session of a killed process, although no other process starts',
  { skip: skip || (canFreeze ? false : 'needs control groups for freezing') },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-held-'))
    chmodSync(folder, 0o711)
    const holder = spawn(process.execPath, [program, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(holder.stdout, 'data')
    const [file = ''] = globSync(join(folder, '*/*/*/groups.json'))
    const paths = JSON.parse(readFileSync(file, 'utf8')) as string[]
    cleanUp(async () => {
      await removeControlGroups(paths)
      rmSync(folder, { recursive: true, force: true })
    })
    const processes = (): string => readFileSync(`${paths[0]}/cgroup.procs`, 'utf8')
    assert.notEqual(processes(), '')
    holder.kill('SIGKILL')
    await eventually(() => assert.equal(processes(), ''))
  },
)
