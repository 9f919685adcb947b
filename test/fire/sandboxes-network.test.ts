/** Attempts to reach more than public hosts from a box with guarded access, with every isolation. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { before, describe, it } from 'node:test'
import { cleanUp } from '../harness/clean-up.ts'
import { directTechniques } from './egress/addresses.ts'
import { createGuard } from '../../src/upstream/guard.ts'
import { startGuardProxy } from '../../src/upstream/guard-proxy.ts'
import type { Box } from '../../src/resources/boxes/box.ts'
import { NODE_IN_BOX } from '../../src/resources/boxes/isolation/layout.ts'
import {
  findEscapes,
  findUseless,
  openSocket,
  workingIsolations,
  type Probe,
} from '../../src/resources/boxes/testing/attempt-probes.ts'
import { findTestIsolation } from '../../src/resources/boxes/testing/find-isolation.ts'
import { openTestBox } from '../../src/resources/boxes/testing/open-test-box.ts'
import { createBoxNetwork } from '../../src/resources/boxes/network/box-network.ts'

const isolation = await findTestIsolation(false)
const SITE = '127.77.0.1'
const BYTES = 50_000_000
const ABSTRACT = `tollgate-network-${process.pid}`
const hits: string[] = []
const lookups = new Map<string, number>()
const site = createServer((request, response) => response.end(`page of ${request.url}`))
const canary = createServer((request, response) => {
  hits.push(request.url ?? '')
  response.end('secret')
})
const abstract = createTcpServer()
let ports = { site: 0, canary: 0 }

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'six.example-egress.com': ['::1'],
  'mapped.example-egress.com': ['::ffff:127.0.0.1'],
  'one-of-two.example-egress.com': ['93.184.216.34', '127.0.0.1'],
  'ten.example-egress.com': ['10.0.0.5'],
  'metadata.example-egress.com': ['169.254.169.254'],
  'wire.example-egress.com': ['168.63.129.16'],
  'unique-local.example-egress.com': ['fd00::1'],
  'site.example': [SITE],
}

/** `rebinding` is public for the first lookup and private for the second. */
async function lookup(
  name: string,
): Promise<readonly { readonly address: string; readonly family: number }[]> {
  const hostname = name.toLowerCase().replace(/\.$/, '')
  const count = (lookups.get(hostname) ?? 0) + 1
  lookups.set(hostname, count)
  const found = hostname.startsWith('rebinding')
    ? [count % 2 === 1 ? SITE : '127.0.0.1']
    : (ADDRESSES[hostname] ?? ['127.0.0.1'])
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

/** Sends each URL to a proxy, whole and by CONNECT, and prints the statuses. 0: closed; -1: no response. */
const ASK_ALL = `
const { connect } = require('node:net')
const { text } = require('node:stream/consumers')
const ask = (head, then) => new Promise((done) => {
  const socket = connect(Number(process.argv[1]), '127.0.0.1')
  let [received, other] = ['', 0]
  socket.setTimeout(5000, () => (other = -1, socket.destroy()))
  socket.on('data', (bytes) => {
    if (received === '' && then !== undefined && String(bytes).startsWith('HTTP/1.1 200')) socket.write(then)
    received += bytes
    if (received.includes('secret') || received.includes('page of')) socket.destroy()
  })
  socket.on('error', () => {})
  socket.on('close', () => done(Number(/^HTTP\\/1\\.1 (\\d+)/.exec(received)?.[1] ?? other)))
  socket.write(head)
})
text(process.stdin).then(async (input) => {
  const statuses = []
  const urls = JSON.parse(input)
  const work = async () => {
    for (let url = urls.shift(); url !== undefined; url = urls.shift()) {
      const [, , authority = ''] = url.split('/')
      const end = ' HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n'
      statuses.push(await ask('GET ' + url + end))
      statuses.push(await ask('CONNECT ' + authority + end, 'GET /' + end))
    }
  }
  await Promise.all([1, 2, 3, 4, 5, 6].map(work))
  console.log(JSON.stringify(statuses))
})`

async function askFromBox(box: Box, urls: readonly string[]): Promise<readonly number[]> {
  async function* input() {
    yield await Promise.resolve(Buffer.from(JSON.stringify(urls)))
  }
  const args = [NODE_IN_BOX, '-e', ASK_ALL, '3128']
  const { stdout, stderr } = await box.run(args, { seconds: 60, input: input() })
  assert.equal(String(stderr), '')
  return JSON.parse(String(stdout)) as number[]
}

async function askOutside(port: string, urls: readonly string[]): Promise<readonly number[]> {
  const child = spawn(process.execPath, ['-e', ASK_ALL, port])
  child.stdin.end(JSON.stringify(urls))
  return JSON.parse(await text(child.stdout)) as number[]
}

/** Techniques that fit into a request line. Names that rebind have a test of their own. */
function techniques(
  port: number,
): readonly { readonly url: string; readonly isAtCanary: boolean }[] {
  const own = Object.values(networkInterfaces()).flatMap((list = []) =>
    list.map(({ address }) => address),
  )
  return directTechniques(port, own).filter(
    ({ url }) => /^[!-~]+$/.test(url) && !url.includes('rebinding'),
  )
}

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, host, ready))
  cleanUp(() => server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

async function openBox(one = workingIsolations(isolation)[0], maxBytes = BYTES): Promise<Box> {
  const network = createBoxNetwork({
    allowPrivateNetworks: [`${SITE}/32`],
    lookup,
    maxBytes,
    logger: { info: () => undefined },
    paceMs: 0,
  })
  return openTestBox(isolation, one, { network })
}

async function printed(box: Box, command: string): Promise<string> {
  return String((await box.run(['sh', '-c', command], { seconds: 30 })).stdout).trim()
}

const fetchWith = (url: string): string =>
  `${NODE_IN_BOX} -e "fetch('${url}').then((r) => r.text()).then(console.log, () => console.log('failed'))"`

describe('a box with guarded network access', { skip: isolation.skip }, () => {
  let probes: readonly Probe[] = []

  before(async () => {
    ports = { site: await listen(site, SITE), canary: await listen(canary, '0.0.0.0') }
    await new Promise<void>((ready) => void abstract.listen(`\0${ABSTRACT}`, ready))
    cleanUp(() => abstract.close())
    const local = `sockaddr_in(${ports.canary}, inet_aton("127.0.0.1"))`
    const away = 'sockaddr_in(53, inet_aton("192.0.2.1"))'
    const abstractAddress = `pack("S", 1) . "\\0${ABSTRACT}"`
    probes = [
      ['connects to a port of the machine', openSocket(2, local)],
      ['connects to an abstract socket', openSocket(1, abstractAddress)],
      ['connects without the proxy', openSocket(2, away), openSocket(2, local)],
      ['sends a datagram', openSocket(2, away, 2), openSocket(2, local, 2)],
      ['opens a raw socket', openSocket(2, undefined, 3), openSocket(2, undefined, 1)],
      ['opens a packet socket', openSocket(17, undefined, 3), openSocket(2)],
      ['adds a route', 'echo x >/proc/net/route', 'echo x >./route'],
      ['replaces the socket', 'mv /opt/tollgate/network.sock /tmp', 'touch f; mv f g'],
    ].map(([name = '', command = '', control = command]) => ({ name, command, control }))
  })

  for (const one of workingIsolations(isolation)) {
    it(`reaches public hosts from a box of ${one.name}, through the proxy`, async () => {
      const box = await openBox(one)
      const url = `http://site.example:${ports.site}/a`
      assert.equal(await printed(box, fetchWith(url)), 'page of /a')
      assert.deepEqual(await askFromBox(box, [url]), [200, 200])
    })

    it(`reaches nothing else from a box of ${one.name}`, async () => {
      const box = await openBox(one)
      assert.deepEqual(await findEscapes(box, probes), [])
      hits.length = 0
      const urls = [...techniques(ports.canary), ...techniques(80)].map(({ url }) => url)
      const statuses = await askFromBox(box, urls)
      assert.deepEqual(hits, [])
      // 0: not HTTP. 502 and -1 would be attempts to connect.
      assert.deepEqual(
        [...new Set(statuses)].toSorted((a, b) => a - b),
        [0, 403],
      )
    })
  }

  it('succeeds with the same attempts without the guard', async () => {
    assert.deepEqual(await findUseless(probes), [])
    const open = createGuard({
      allowPrivateNetworks: ['127.0.0.0/8'],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    const proxy = await startGuardProxy(open)
    cleanUp(async () => (await proxy.close(), open.close()))
    hits.length = 0
    const atCanary = techniques(ports.canary).filter(({ isAtCanary }) => isAtCanary)
    await askOutside(
      new URL(proxy.url).port,
      atCanary.map(({ url }) => url),
    )
    assert.ok(hits.length > 60, `${hits.length} hits`)
  })

  it('rejects a name that becomes private after its first lookup', async () => {
    const url = `http://rebinding.example-egress.com:${ports.site}/`
    assert.deepEqual(await askFromBox(await openBox(), [url]), [200, 403])
  })

  it('ends its connections at its limit of bytes', async () => {
    const box = await openBox(undefined, 300)
    const url = `http://site.example:${ports.site}/a`
    assert.equal(await printed(box, fetchWith(url)), 'page of /a')
    assert.equal(await printed(box, fetchWith(url)), 'failed')
    assert.deepEqual(await askFromBox(box, [url]), [403, 403])
  })

  it('keeps its connections when programs of the box try to end the proxy', async () => {
    const box = await openBox()
    await box.run(['sh', '-c', 'kill -9 -1'], { seconds: 5 })
    const url = `http://site.example:${ports.site}/b`
    assert.equal(await printed(box, fetchWith(url)), 'page of /b')
  })
})
