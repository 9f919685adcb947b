/** Sandboxes with images of Podman. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { existsSync, readdirSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { createContainerImages } from '../../src/resources/boxes/containers/container-images.ts'
import { runPodman } from '../../src/resources/boxes/containers/podman.ts'
import type { Box } from '../../src/resources/boxes/box.ts'
import { createBoxNetwork } from '../../src/resources/boxes/network/box-network.ts'
import { findEscapes } from '../../src/resources/boxes/testing/attempt-probes.ts'
import { escapeProbes } from '../../src/resources/boxes/testing/escape-probes.ts'
import { findContainerSkip, makeImage } from '../../src/resources/boxes/testing/make-image.ts'
import { openTestBox } from '../../src/resources/boxes/testing/open-test-box.ts'
import { dataFolder, type GatewayProcess } from '../harness/clients/gateway-process.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { eventually } from '../harness/eventually.ts'
import { openFireBed, type FireAccount, type FireBed } from './bed.ts'

const skip = await findContainerSkip()
const GROUPS = '/sys/fs/cgroup'
const ABSTRACT = `tollgate-images-${process.pid}`
let image = ''

type Answer = {
  readonly ok: boolean
  readonly data?: Readonly<Record<string, unknown>>
  readonly error?: {
    readonly code: string
    readonly param: string | null
    readonly message: string
  }
  readonly charged_micros: number
}

function containers(): string {
  const all = ['ps', '--all', '--noheading', '--filter=name=tollgate-box-', '--format={{.Names}}']
  return execFileSync('podman', ['--cgroup-manager=cgroupfs', ...all], { encoding: 'utf8' }).trim()
}

/** Control groups with this name in any hierarchy. */
function groupsNamed(name: string): readonly string[] {
  return ['', ...readdirSync(GROUPS)]
    .map((hierarchy) => `${GROUPS}/${hierarchy}/${name}`)
    .filter((path) => existsSync(path))
}

async function openBox(
  network: Parameters<typeof createBoxNetwork>[0] | null = null,
): Promise<Box> {
  const setup = await createContainerImages([image]).find(image)
  assert.ok(setup !== null)
  return openTestBox(
    { groups: setup.groups, tried: [], skip: false },
    setup.isolation,
    network === null ? {} : { network: createBoxNetwork(network) },
  )
}

async function shell(box: Box, command: string): Promise<string> {
  const { stdout, stderr } = await box.run(['sh', '-c', command], { seconds: 20 })
  return String(stdout) + String(stderr)
}

describe('a box with an image of Podman', { skip }, () => {
  before(() => {
    image = makeImage()
  })

  it('runs programs of the image as a user of its own, and leaves nothing', async () => {
    const box = await openBox()
    const name = `tollgate-box-${box.id}`
    assert.ok(containers().includes(name))
    assert.equal(
      await shell(box, 'echo a >f; cat f; ls /usr/bin/gcc'),
      `a
ls: cannot access '/usr/bin/gcc': No such file or directory
`,
    )
    assert.match(await shell(box, 'id -u'), /^160\d{7}\n$/)
    assert.equal(
      await shell(box, 'cat /etc/resolv.conf; cat /etc/hosts'),
      '127.0.0.1 localhost sandbox\n',
    )
    const [start, , end] = [
      await box.count(),
      await shell(box, 'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done'),
      await box.count(),
    ]
    assert.ok(start !== null && end !== null)
    assert.ok(end.cpuMicroseconds > start.cpuMicroseconds)
    assert.equal((await box.count())?.cpuMicroseconds, end.cpuMicroseconds)
    await box.close()
    assert.ok(!containers().includes(name))
    assert.deepEqual(groupsNamed(name), [])
  })

  it('leaves it by no attempt', async () => {
    const servers = [createServer(), createServer()]
    await new Promise<void>((ready) => void servers[0]?.listen(0, '127.0.0.1', ready))
    await new Promise<void>((ready) => void servers[1]?.listen(`\0${ABSTRACT}`, ready))
    cleanUp(() => void servers.map((server) => server.close()))
    const probes = escapeProbes((servers[0]?.address() as AddressInfo).port, ABSTRACT)
    const box = await openBox()
    assert.deepEqual(await findEscapes(box, probes), [])
    await box.close()
  })

  it('reaches hosts through the guard only', async () => {
    const site = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\npage'))
    await new Promise<void>((ready) => void site.listen(0, '127.77.0.2', ready))
    cleanUp(() => site.close())
    const box = await openBox({
      allowPrivateNetworks: ['127.77.0.2/32'],
      maxBytes: 1_000_000,
      logger: { info: () => undefined },
    })
    const { port } = site.address() as AddressInfo
    const ask = (host: string): string =>
      `perl -MSocket -e 'socket(S, 2, 1, 0); connect(S, sockaddr_in(3128, inet_aton("127.0.0.1"))) or die; syswrite(S, "GET http://${host}:${port}/ HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n"); print while <S>'`
    assert.match(await shell(box, ask('127.77.0.2')), /^HTTP\/1\.1 200[\s\S]*page/)
    assert.match(await shell(box, ask('127.0.0.1')), /^HTTP\/1\.1 403/)
    await box.close()
  })

  it('looks an image up once for calls at the same time', async () => {
    const lookups: string[] = []
    const images = createContainerImages([image], async (args) => {
      if (args.includes('inspect')) lookups.push(String(args.at(-1)))
      return runPodman(args)
    })
    const setups = await Promise.all([1, 2, 3].map(() => images.find(image)))
    assert.ok(setups.every((setup) => setup !== null))
    assert.deepEqual(lookups, [image])
    await images.find(image)
    assert.equal(lookups.length, 2)
  })

  it('does not start an image without Perl, and no image that is not offered', async () => {
    const bare = makeImage(false)
    const images = createContainerImages([bare, 'missing:1'])
    assert.match((await images.findProblem(bare)) ?? '', /perl/)
    assert.match((await images.findProblem('missing:1')) ?? '', /no image/)
    assert.equal(await images.find(image), null)
    await assert.rejects(images.find(bare), { code: 'upstream_not_configured' })
  })
})

describe('a sandbox with an image of Podman', { skip }, () => {
  let bed: FireBed
  let account: FireAccount
  let gateway: GatewayProcess
  let settings: Readonly<Record<string, string>> = {}

  async function call(action: string, body: object): Promise<Answer> {
    const reply = await fetch(`${gateway.url}/api/run/sandbox/sandbox-${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await reply.json()) as Answer
  }

  before(async () => {
    bed = await openFireBed()
    account = await bed.account('1000')
    settings = {
      DATA_DIR: dataFolder(),
      IN_HOUSE: 'sandboxes',
      BOX_IMAGES: image,
      BOX_MEMORY_MB: '256',
      BOX_DISK_MB: '32',
      BOX_UNLIMITED: 'true',
    }
    gateway = await bed.start(settings)
  })

  it('runs the image by its short name, and rejects others by the name of the field', async () => {
    const made = await call('create', { image, timeout: 60 })
    assert.ok(made.ok, JSON.stringify(made))
    assert.deepEqual([made.data?.['isolation'], made.charged_micros], ['podman', 30_000])
    const id = String(made.data?.['sandbox_id'])
    const ran = await call('exec', { sandbox_id: id, command: 'echo out; exit 3' })
    assert.deepEqual(ran.data, { stdout: 'out\n', stderr: '', returncode: 3 })
    assert.equal((await call('status', { sandbox_id: id })).data?.['isolation'], 'podman')
    await call('terminate', { sandbox_id: id })
    const other = await call('create', { image: 'debian:other' })
    assert.deepEqual(
      [other.error?.code, other.error?.param, other.charged_micros],
      ['invalid_params', 'image', 0],
    )
  })

  it('ends at its timeout', async () => {
    const made = await call('create', { image, timeout: 1 })
    const name = `tollgate-box-${String(made.data?.['sandbox_id']).split('_').at(-1)}`
    await eventually(() => {
      assert.equal(containers(), '')
      assert.deepEqual(groupsNamed(name), [])
    })
  })

  it('leaves no container within 30 s when the gateway is killed', async () => {
    const made = await call('create', { image, timeout: 300 })
    const id = String(made.data?.['sandbox_id'])
    await call('exec', { sandbox_id: id, command: 'nohup sleep 1000 >/dev/null 2>&1 &' })
    assert.notEqual(containers(), '')
    await gateway.end('SIGKILL')
    const killedAt = Date.now()
    await eventually(() => assert.equal(containers(), ''))
    assert.ok(Date.now() - killedAt < 30_000)
    gateway = await bed.start(settings)
    const name = `tollgate-box-${id.split('_').at(-1)}`
    await eventually(() => assert.deepEqual(groupsNamed(name), []))
    await bed.assertSound()
  })
})
