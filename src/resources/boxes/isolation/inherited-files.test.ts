import assert from 'node:assert/strict'
import { spawn, type StdioOptions } from 'node:child_process'
import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { it } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { findProgram } from '../../../lib/machine/find-program.ts'
import { joinAndRun } from './isolation.ts'
import { createLayout } from './layout.ts'
import { systemCalls } from './seccomp.ts'

const AGENT = fileURLToPath(new URL('../inside/agent.pl', import.meta.url))
const HIGH = 200
const missing = ['perl', 'prlimit', 'setpriv'].filter(
  (program) => findProgram(program, '/usr/bin:/bin') === null,
)
const skip = missing.length > 0 && `needs ${missing.join(', ')}`
const secret = openSync('/etc', 'r')
cleanUp(() => closeSync(secret))

/** Children inherit /etc as a high number, after a gap. */
const stdio: StdioOptions = [
  'pipe',
  'pipe',
  'inherit',
  ...Array.from({ length: HIGH - 3 }, () => 'ignore' as const),
  secret,
]

it('starts programs of boxes without the open files of the gateway', { skip }, async () => {
  const { program, args, env } = joinAndRun(
    {
      id: 'a1',
      folder: '/',
      layout: createLayout(null, []),
      limits: { memoryBytes: 1e8, diskBytes: 4e7, cpus: 1, processes: 50 },
      userId: null,
      dataBytes: null,
      hasNetwork: false,
      devices: [],
      lifeSeconds: null,
      command: [],
      controlGroups: [],
    },
    ['sh', '-c', 'for one in /proc/self/fd/*; do readlink "$one"; done; echo "$1"', 'sh', 'a b'],
  )
  const child = spawn(program, [...args], { env: { ...env }, stdio })
  assert.ok(child.stdout !== null)
  const lines = (await text(child.stdout)).trimEnd().split('\n')
  assert.ok(!lines.includes('/etc'), lines.join(' '))
  assert.equal(lines.at(-1), 'a b')
})

it('closes inherited files in the agent before it starts programs', { skip }, async () => {
  const prctl = String(systemCalls(process.arch)?.prctl ?? '-')
  const child = spawn('perl', [AGENT, '-', '-', prctl], { stdio })
  assert.ok(child.stdout !== null)
  try {
    await new Promise((ready) => child.stdout?.once('data', ready))
    const open = `/proc/${child.pid}/fd`
    const files = readdirSync(open).map((name) => readlinkSync(`${open}/${name}`))
    assert.ok(!files.includes('/etc'), files.join(' '))
  } finally {
    child.kill('SIGKILL')
  }
})
