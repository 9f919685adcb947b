import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { startBox } from './box.ts'
import { openControlGroups } from '../../lib/machine/control-groups.ts'
import { createLayout } from './isolation/layout.ts'
import { systemCalls } from './isolation/seccomp.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-agent-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

it('lets the agent protect its memory and pipes also without a filter', async () => {
  let command: readonly string[] = []
  const isolation = {
    name: 'gvisor' as const,
    programs: [],
    packages: [],
    hasDevices: false,
    command: async (plan: { readonly command: readonly string[] }) => {
      command = plan.command
      return { program: join(folder, 'missing'), args: [], env: {} }
    },
  }
  const groups = await openControlGroups(folder, '')
  const setup = { isolation, layout: createLayout(null, []), filter: null, groups, network: null }
  const limits = { memoryBytes: 1e8, diskBytes: 4e7, cpus: 1, processes: 50 }
  const start = {
    id: 'a1',
    accountId: '1',
    folder: join(folder, 'a1'),
    limits,
    userId: null,
    devices: [],
    lifeSeconds: null,
    envs: {},
  }
  await assert.rejects(startBox(setup, start), { code: 'upstream_error' })
  assert.equal(command.at(-3), '-')
  assert.equal(command.at(-1), String(systemCalls(process.arch)?.prctl ?? '-'))
})
