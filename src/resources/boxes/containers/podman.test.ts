import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { createLayout } from '../isolation/layout.ts'
import { createContainerImages } from './container-images.ts'
import { createPodman } from './podman.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-podman-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

it('starts a container without network, rights and writable root, within limits', async () => {
  const { args } = await createPodman('1a2b').command({
    id: 'a1',
    folder,
    layout: createLayout(null, []),
    limits: { memoryBytes: 1e8, diskBytes: 4e7, cpus: 1, processes: 50 },
    userId: 1234,
    dataBytes: null,
    hasNetwork: false,
    devices: ['/dev/gpu0'],
    lifeSeconds: 300,
    command: ['/usr/bin/perl', 'agent'],
    controlGroups: [],
  })
  const script = (args[1] ?? '').replaceAll("'\\''", "'")
  for (const part of [
    "'--pdeathsig' 'TERM'",
    '--pull=never',
    '--network=none',
    '--cap-drop=all',
    '--security-opt=no-new-privileges',
    '--cgroup-parent=/tollgate-box-a1',
    '--pids-limit=50',
    '--memory=100000000',
    '--memory-swap=100000000',
    '--cpus=1',
    '--read-only',
    '--image-volume=ignore',
    '--http-proxy=false',
    '--user=1234:1234',
    '--timeout=300',
    '--device=/dev/gpu0',
    "'--entrypoint=/usr/bin/perl' '1a2b' 'agent'",
  ])
    assert.ok(script.includes(part), part)
  // Of the machine, a container has the agent, Node.js and small files, but not its programs.
  const volumes = [...script.matchAll(/'--volume=[^:']+:([^:']+):ro'/g)].map(([, target]) => target)
  assert.deepEqual(volumes, [
    '/etc/resolv.conf',
    '/opt/tollgate/inside',
    '/opt/tollgate/bin/node',
    '/etc/hosts',
  ])
})

it('looks up no image that the operator does not offer', async () => {
  const images = createContainerImages(['python:3.13-slim'], () => assert.fail('runs podman'))
  for (const image of ['python:3.14-slim', 'docker.io/library/python:3.13-slim', ''])
    assert.equal(await images.find(image), null)
})
