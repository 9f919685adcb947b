import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { openControlGroups, removeControlGroups } from './control-groups.ts'

/** A folder with the layout of control groups of version 1, without their effect. */
function openRoot(controllers: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'tollgate-groups-'))
  cleanUp(() => rmSync(root, { recursive: true }))
  for (const name of controllers) mkdirSync(join(root, name, 'own'), { recursive: true })
  return root
}

const OWN = '3:memory:/own\n2:cpu,cpuacct:/own\n1:pids:/own\n'

test('a group joins every usable hierarchy, and empty groups of a prefix are removed', async () => {
  const root = openRoot(['memory', 'pids'])
  const groups = await openControlGroups(root, OWN)
  assert.deepEqual(groups.controllers, new Set(['memory', 'pids']))
  const limits = { memoryBytes: 1_000, cpus: 1, processes: 5 }
  const { folders } = await groups.create('tollgate-browser-a', limits)
  await groups.create('tollgate-box-b', limits)
  assert.deepEqual(folders, [
    join(root, 'memory/own/tollgate-browser-a'),
    join(root, 'pids/own/tollgate-browser-a'),
  ])
  // Like the processes of a group, a file prevents that its folder is removed.
  writeFileSync(join(root, 'pids/own/tollgate-browser-a/cgroup.procs'), '1')
  mkdirSync(join(root, 'pids/own/tollgate-browser-old'))
  await groups.removeEmpty('tollgate-browser-')
  assert.deepEqual(readdirSync(join(root, 'pids/own')).sort(), [
    'tollgate-box-b',
    'tollgate-browser-a',
  ])
})

test('a removed group takes the groups below it along', async () => {
  const root = openRoot([])
  mkdirSync(join(root, 'pids/own/tollgate-box-a/libpod-1/nested'), { recursive: true })
  mkdirSync(join(root, 'pids/own/other'))
  await removeControlGroups([join(root, 'pids/own/tollgate-box-a')])
  assert.deepEqual(readdirSync(join(root, 'pids/own')), ['other'])
})

test('several checks at the same time find the same hierarchies', async () => {
  const root = openRoot(['memory', 'pids'])
  const found = await Promise.all(
    Array.from({ length: 8 }, async () => (await openControlGroups(root, OWN)).controllers),
  )
  for (const controllers of found) assert.deepEqual(controllers, new Set(['memory', 'pids']))
})

test('groups get less CPU time than other programs when the machine is busy', async () => {
  const limits = { memoryBytes: 1_000, cpus: 1, processes: 5 }
  const weightIn = async (root: string, own: string, group: string, file: string) => {
    mkdirSync(join(root, group), { recursive: true })
    writeFileSync(join(root, group, file), '')
    await (await openControlGroups(root, own)).create('tollgate-box-a', limits)
    return readFileSync(join(root, group, file), 'utf8')
  }
  const first = openRoot(['cpu'])
  assert.equal(await weightIn(first, '1:cpu:/own', 'cpu/own/tollgate-box-a', 'cpu.shares'), '256')
  const second = openRoot([])
  writeFileSync(join(second, 'cgroup.controllers'), 'cpu')
  assert.equal(await weightIn(second, '0::/', 'tollgate-box-a', 'cpu.weight'), '25')
})
