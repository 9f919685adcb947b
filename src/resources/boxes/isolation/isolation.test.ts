import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { bubblewrap } from './bubblewrap.ts'
import { createGvisor } from './gvisor.ts'
import type { BoxPlan } from './isolation.ts'
import { BOX_HOME, createLayout } from './layout.ts'
import { namespaces } from './namespaces.ts'
import { createSeccompFilter } from './seccomp.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-isolation-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

function plan(changes: Partial<BoxPlan> = {}): BoxPlan {
  return {
    id: 'a1',
    folder,
    layout: createLayout(null, ['/usr/local/secret', '/srv/data']),
    limits: { memoryBytes: 1e8, diskBytes: 4e7, cpus: 1, processes: 50 },
    userId: 1234,
    dataBytes: null,
    hasNetwork: false,
    devices: [],
    lifeSeconds: null,
    command: ['/usr/bin/perl', 'agent'],
    controlGroups: ['/sys/fs/cgroup/pids/tollgate-box-a1'],
    ...changes,
  }
}

it('shows programs and libraries of the machine, and no folder with secrets', () => {
  const { binds, hidden } = createLayout(null, ['/usr/local/secret', '/srv/data'])
  for (const { target } of binds)
    assert.match(
      target,
      /^\/(usr|s?bin|lib\w*|etc\/[^/]+(\/certs|\/openssl\.cnf)?|opt\/tollgate\/.*)$/,
    )
  assert.deepEqual(hidden, ['/usr/local/secret'])
})

it('hides a folder of secrets that a symbolic link names', () => {
  const link = join(folder, 'data')
  symlinkSync('/usr/share', link)
  assert.deepEqual(createLayout(null, [link]).hidden, ['/usr/share'])
})

it('shows nothing of the machine that symbolic links of an image name', () => {
  const image = join(folder, 'image')
  mkdirSync(join(image, 'usr'), { recursive: true })
  mkdirSync(join(image, 'etc'))
  symlinkSync('/root', join(image, 'etc/alternatives'))
  symlinkSync('../usr', join(image, 'etc/mime.types'))
  const targets = createLayout(image, []).binds.map(({ target }) => target)
  assert.ok(targets.includes('/usr') && targets.includes('/etc/mime.types'))
  assert.ok(!targets.includes('/etc/alternatives'))
})

it('starts namespaces with limits, without network and rights, and dies with the gateway', async () => {
  const { program, args, env } = await namespaces.command(plan())
  const script = args[1] ?? ''
  assert.equal(program, '/bin/sh')
  assert.deepEqual(Object.keys(env), ['PATH'])
  for (const part of [
    "echo $$ >'/sys/fs/cgroup/pids/tollgate-box-a1/cgroup.procs'",
    "'--nproc=50'",
    "'--fsize=40000000'",
    "'--pdeathsig' 'KILL'",
    "'--kill-child=KILL'",
    "'--net'",
    '--reuid=1234',
    '--bounding-set=-all',
    '--no-new-privs',
    'size=40000000',
  ])
    assert.ok(script.includes(part), part)
})

it('limits the memory of each process if no control group limits the box', async () => {
  const script = async (dataBytes: number | null): Promise<string> =>
    (await namespaces.command(plan({ dataBytes }))).args[1] ?? ''
  assert.ok((await script(5e7)).includes("'--data=50000000'"))
  assert.ok(!(await script(null)).includes('--data'))
  const gvisor = (await createGvisor(null).command(plan({ dataBytes: 5e7 }))).args[1] ?? ''
  assert.ok(!gvisor.includes('--data'))
  assert.match(
    readFileSync(join(folder, 'bundle/config.json'), 'utf8'),
    /RLIMIT_DATA","hard":50000000,/,
  )
  rmSync(join(folder, 'bundle'), { recursive: true })
})

it('builds the file system in a user namespace without root', async () => {
  const script = (await namespaces.command(plan({ userId: null }))).args[1] ?? ''
  assert.ok(script.includes("'--user' '--map-root-user'"))
  assert.ok(!script.includes('--reuid') && !script.includes('--nproc'))
})

it('starts bubblewrap without network, capabilities and nested namespaces', async () => {
  const script = (await bubblewrap.command(plan())).args[1] ?? ''
  for (const part of ['--unshare-all', '--disable-userns', '--die-with-parent', '--clearenv'])
    assert.ok(script.includes(`'${part}'`), part)
})

it('writes a bundle for gVisor without network and capabilities', async () => {
  const script = (await createGvisor('systrap').command(plan())).args[1] ?? ''
  assert.match(script, /'runsc' .*'--network=none' .*'--platform=systrap' 'run'/)
  const config = JSON.parse(readFileSync(join(folder, 'bundle/config.json'), 'utf8')) as {
    process: { capabilities: Record<string, string[]>; noNewPrivileges: boolean; cwd: string }
    root: { readonly: boolean }
    mounts: { destination: string; options?: string[] }[]
  }
  assert.ok(config.process.noNewPrivileges && config.root.readonly)
  assert.equal(config.process.cwd, BOX_HOME)
  assert.deepEqual(Object.values(config.process.capabilities).flat(), [])
  const usr = config.mounts.find(({ destination }) => destination === '/usr')
  assert.ok(usr?.options?.includes('ro'))
})

it('filters system calls on x64 and arm64, and jumps only within the program', () => {
  assert.equal(createSeccompFilter('riscv64'), null)
  for (const architecture of ['x64', 'arm64']) {
    const bytes = Buffer.from(createSeccompFilter(architecture)?.program ?? '', 'hex')
    const count = bytes.length / 8
    assert.ok(Number.isInteger(count) && count > 100)
    for (let at = 0; at < count; at += 1) {
      const [ifTrue, ifFalse] = [bytes[at * 8 + 2] ?? 0, bytes[at * 8 + 3] ?? 0]
      assert.ok(at + 1 + Math.max(ifTrue, ifFalse) < count || bytes[at * 8] === 6)
    }
  }
})
