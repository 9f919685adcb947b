import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { request } from 'undici'
import { AppError } from '../errors/app-error.ts'
import { Deadline } from '../lib/deadline.ts'
import { exchange } from './exchange.ts'
import { BLOCKED_PORTS, interfaceAddresses } from './guard-addresses.ts'
import { createGuard, isGuardRefusal, type Guard, type ResolvedAddress } from './guard.ts'

const REFUSED_URLS = {
  'loopback, dotted': 'http://127.0.0.1/',
  'loopback, any of the block': 'http://127.8.9.10/',
  'loopback, decimal': 'http://2130706433/',
  'loopback, hexadecimal': 'http://0x7f000001/',
  'loopback, octal': 'http://0177.0.0.1/',
  'loopback, octal without dots': 'http://017700000001/',
  'loopback, mixed bases': 'http://0x7f.0.0.01/',
  'loopback, two parts': 'http://127.1/',
  'loopback, three parts': 'http://127.0.1/',
  'loopback, trailing dot': 'http://127.0.0.1./',
  'loopback, circled digits': 'http://①②⑦.⓪.⓪.①/',
  'loopback, full-width digits': 'http://１２７.０.０.１/',
  'loopback, percent-encoded': 'http://%31%32%37.0.0.1/',
  'loopback by its name': 'http://localhost/',
  'loopback by its name with a trailing dot': 'http://localhost./',
  'loopback by a sub-name': 'http://db.LocalHost/',
  'this host, zero': 'http://0/',
  'this host, dotted zero': 'http://0.0.0.0/',
  'this network': 'http://0.1.2.3/',
  'private 10/8': 'http://10.0.0.1/',
  'private 172.16/12': 'http://172.31.255.254/',
  'private 192.168/16': 'http://192.168.1.1/',
  'private, decimal': 'http://3232235777/',
  'carrier-grade NAT': 'http://100.64.0.1/',
  'link-local': 'http://169.254.1.1/',
  'cloud metadata': 'http://169.254.169.254/latest/meta-data/',
  'cloud metadata, hexadecimal': 'http://0xa9fea9fe/',
  'cloud metadata, octal': 'http://0251.0376.0251.0376/',
  'protocol assignments': 'http://192.0.0.8/',
  documentation: 'http://192.0.2.1/',
  'benchmark network': 'http://198.18.0.1/',
  'benchmark network, upper half': 'http://198.19.255.255/',
  multicast: 'http://224.0.0.1/',
  reserved: 'http://240.0.0.1/',
  broadcast: 'http://255.255.255.255/',
  'IPv6 loopback': 'http://[::1]/',
  'IPv6 loopback, long form': 'http://[0:0:0:0:0:0:0:1]/',
  'IPv6 unspecified': 'http://[::]/',
  'IPv6 unique local': 'http://[fd00::1]/',
  'IPv6 unique local, metadata': 'http://[fd00:ec2::254]/',
  'IPv6 link-local': 'http://[fe80::1]/',
  'IPv6 site-local': 'http://[fec0::1]/',
  'IPv6 multicast': 'http://[ff02::1]/',
  'IPv6 documentation': 'http://[2001:db8::1]/',
  'IPv6 never given out': 'http://[4000::1]/',
  'IPv4-mapped': 'http://[::ffff:127.0.0.1]/',
  'IPv4-mapped, hexadecimal': 'http://[::ffff:a9fe:a9fe]/',
  'IPv4-compatible': 'http://[::127.0.0.1]/',
  'IPv4-translated': 'http://[::ffff:0:127.0.0.1]/',
  'NAT64 of loopback': 'http://[64:ff9b::127.0.0.1]/',
  'NAT64 of metadata': 'http://[64:ff9b::a9fe:a9fe]/',
  'NAT64, local prefix': 'http://[64:ff9b:1::7f00:1]/',
  '6to4 of loopback': 'http://[2002:7f00:1::]/',
  Teredo: 'http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
  'Azure metadata': 'http://168.63.129.16/machine/?comp=goalstate',
  'Azure metadata, decimal': 'http://2822734096/',
  'Azure metadata, mapped': 'http://[::ffff:168.63.129.16]/',
  'Azure metadata, NAT64': 'http://[64:ff9b::168.63.129.16]/',
  'Azure metadata, 6to4': 'http://[2002:a83f:8110::]/',
  'Azure metadata, Teredo': 'http://[2001:0:a83f:8110::]/',
  'IBM infrastructure': 'http://161.26.0.10/',
  'IBM service endpoints': 'http://166.11.255.254/',
  'Google private APIs': 'http://199.36.153.9/',
  'Google restricted APIs': 'http://199.36.153.7/',
  'Oracle classic metadata': 'http://192.0.0.192/',
  'Alibaba metadata': 'http://100.100.100.200/',
  'AWS containers metadata': 'http://169.254.170.2/',
  'AWS pod identity': 'http://[fd00:ec2::23]/',
  'Google metadata, IPv6': 'http://[fd20:ce::254]/',
  'Oracle metadata, IPv6': 'http://[fd00:c1::a9fe:a9fe]/',
  'Scaleway metadata': 'http://169.254.42.42/',
  'metadata by its name': 'http://metadata.google.internal/',
  'a name of the local link': 'http://printer.local/',
  'a name of a cluster': 'http://vault.default.svc/',
  'a name of a home': 'http://router.home.arpa/',
  'a name without a dot': 'http://metadata/',
  'user name in the URL': 'http://user@example.com/',
  'password in the URL': 'http://:secret@example.com/',
  'public host hidden behind credentials': 'http://example.com@127.0.0.1/',
  'not http': 'file:///etc/passwd',
  gopher: 'gopher://127.0.0.1:6379/_INFO',
  javascript: 'javascript:alert(1)',
  data: 'data:text/html,hi',
  'no URL': 'not a url',
  'mail port': 'http://example.com:25/',
  'database port': 'http://example.com:5432/',
} as const

const ALLOWED_URLS = [
  'http://example.com/',
  'https://example.com:8443/x?y=1',
  'http://8.8.8.8/',
  'http://[2606:4700::1111]/',
  'http://[64:ff9b::8.8.8.8]/',
  'http://[::ffff:8.8.8.8]/',
  '  https://example.com  ',
]

function answering(...answers: ResolvedAddress[][]): {
  lookup: () => Promise<ResolvedAddress[]>
  asked: () => number
} {
  let asked = 0
  return {
    asked: () => asked,
    lookup: async () => answers[Math.min(asked++, answers.length - 1)] ?? [],
  }
}

const v4 = (address: string): ResolvedAddress => ({ address, family: 4 })
const v6 = (address: string): ResolvedAddress => ({ address, family: 6 })

/** The two dispatchers of a guard: for pages and files, and for vendors. */
const WAYS: Readonly<Record<string, (guard: Guard, url: string) => Promise<string>>> = {
  async 'the dispatcher'({ dispatcher }, url) {
    return (await request(url, { dispatcher })).body.text()
  },
  async 'the dispatcher for vendors'({ vendors }, url) {
    const { origin, pathname } = new URL(url)
    const deadline = new Deadline(60_000)
    const limits = { deadline, maxBytes: 1_000 }
    return (
      await exchange(
        vendors,
        { origin, path: pathname, method: 'GET', headers: {}, body: null },
        limits,
      ).finally(() => deadline.end())
    ).text
  },
}

describe('guard', () => {
  let port = 0
  let connections = 0
  const server = createServer((_request, response) => response.end('private'))
  server.on('connection', () => (connections += 1))
  const guards: Guard[] = []
  const guardWith = (settings: Partial<Parameters<typeof createGuard>[0]> = {}): Guard => {
    const guard = createGuard({ allowPrivateNetworks: [], ...settings })
    guards.push(guard)
    return guard
  }

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  after(async () => {
    await Promise.all(guards.map((guard) => guard.close()))
    server.closeAllConnections()
    server.close()
  })

  for (const [name, url] of Object.entries(REFUSED_URLS)) {
    it(`rejects a URL: ${name}`, () => {
      assert.throws(
        () => guardWith().checkUrl(url),
        (error) => error instanceof AppError && error.code === 'bad_url',
      )
    })
  }

  it('rejects the same URLs for an external service, except web servers on other ports', () => {
    const guard = guardWith({ ownPages: ['http://127.0.0.1:4020/guide'] })
    for (const url of Object.values(REFUSED_URLS)) {
      if (url === 'http://example.com:5432/') guard.checkHost(url)
      else
        assert.throws(
          () => guard.checkHost(url),
          (error) => error instanceof AppError && error.code === 'bad_url',
          url,
        )
    }
    for (const url of [...ALLOWED_URLS, 'http://127.0.0.1:4020/guide#part']) guard.checkHost(url)
    assert.throws(() => guard.checkHost('http://127.0.0.1:4020/metrics'), isGuardRefusal)
  })

  for (const url of ALLOWED_URLS) {
    it(`accepts a public URL: ${url.trim()}`, () => {
      assert.equal(guardWith().checkUrl(url).href, new URL(url).href)
    })
  }

  const machine = ['45.33.32.200', '2600:3c01:0:0:f03c:91ff:fe18:bb2f']
  const ownForms = [
    'http://45.33.32.200/',
    'http://757145800/',
    'http://[::ffff:45.33.32.200]/',
    'http://[64:ff9b::45.33.32.200]/',
    'http://[2600:3c01:0::f03c:91ff:fe18:bb2f]/',
  ]

  for (const url of ownForms) {
    it(`rejects an address of this machine's interfaces: ${url}`, async () => {
      const guard = guardWith({ ownAddresses: () => machine })
      assert.throws(() => guard.checkUrl(url), isGuardRefusal)
      for (const go of Object.values(WAYS)) await assert.rejects(go(guard, url), isGuardRefusal)
      await assert.rejects(
        guard.connect(
          new URL(url).hostname.replace(/^\[|\]$/g, ''),
          443,
          new AbortController().signal,
        ),
        isGuardRefusal,
      )
    })
  }

  it('rejects a name of the machine itself, and checks at each connection', async () => {
    const own: string[] = []
    const guard = guardWith({
      lookup: answering([v4('45.33.32.200')]).lookup,
      ownAddresses: () => own,
    })
    assert.doesNotThrow(() => guard.checkUrl('http://45.33.32.200/'))
    own.push('45.33.32.200')
    for (const go of Object.values(WAYS))
      await assert.rejects(go(guard, 'http://me.example/'), isGuardRefusal)
  })

  it('accepts a page of the gateway, and a network that the operator opened', () => {
    const guard = guardWith({
      ownAddresses: () => machine,
      ownPages: ['http://45.33.32.200/guide'],
    })
    guard.checkUrl('http://45.33.32.200/guide')
    assert.throws(() => guard.checkUrl('http://45.33.32.200/metrics'), isGuardRefusal)
    guardWith({ ownAddresses: () => machine, allowPrivateNetworks: ['45.33.32.0/24'] }).checkUrl(
      'http://45.33.32.200/',
    )
  })

  it('rereads the addresses of the interfaces after two seconds', () => {
    let nowMs = 0
    const addresses = ['10.0.0.5', '::ffff:1.2.3.4', 'fe80::1%eth0']
    const read = interfaceAddresses(
      () => ({
        eth0: addresses.map((address) => ({
          address,
          netmask: '',
          family: 'IPv4',
          mac: '',
          internal: false,
          cidr: null,
        })),
      }),
      () => nowMs,
    )
    assert.deepEqual(read(), ['10.0.0.5', '1.2.3.4', 'fe80:0:0:0:0:0:0:1'])
    addresses.splice(0, 3, '2600::1')
    nowMs = 1_999
    assert.equal(read().length, 3)
    nowMs = 2_000
    assert.deepEqual(read(), ['2600:0:0:0:0:0:0:1'])
  })

  const literals = Object.values(REFUSED_URLS).filter(
    (url) => url.startsWith('http:') && /^[\d.]+$|^\[/.test(URL.parse(url)?.hostname ?? ''),
  )
  for (const [way, go] of Object.entries(WAYS)) {
    it(`${way} rejects every private literal, without the URL check`, async () => {
      assert.ok(literals.length > 30)
      for (const url of literals) await assert.rejects(go(guardWith(), url), isGuardRefusal, url)
    })
  }

  const privateAnswers: Record<string, ResolvedAddress[]> = {
    'one private address': [v4('10.0.0.1')],
    'a private address behind a public one': [v4('93.184.216.34'), v4('127.0.0.1')],
    'a private IPv6 address behind a public IPv4 one': [v4('93.184.216.34'), v6('::1')],
    'a mapped address': [v6('::ffff:127.0.0.1')],
    'a NAT64 address of loopback': [v6('64:ff9b::7f00:1')],
    'a link-local address with a zone': [v6('fe80::1%eth0')],
    'no address at all': [],
  }
  for (const [name, answer] of Object.entries(privateAnswers)) {
    it(`rejects a name when DNS answers with ${name}`, async () => {
      for (const [way, go] of Object.entries(WAYS))
        await assert.rejects(
          go(guardWith({ lookup: answering(answer).lookup }), 'http://name.example/'),
          isGuardRefusal,
          way,
        )
    })
  }

  for (const [way, go] of Object.entries(WAYS)) {
    it(`resolves a name only once per connection, by ${way}`, async () => {
      const dns = answering([v4('10.1.2.3')], [v4('127.0.0.1')])
      const guard = guardWith({ allowPrivateNetworks: ['127.0.0.0/8'], lookup: dns.lookup })
      await assert.rejects(go(guard, `http://name.example:${port}/`), isGuardRefusal)
      assert.equal(dns.asked(), 1)
      assert.equal(await go(guard, `http://name.example:${port}/`), 'private')
      assert.equal(dns.asked(), 2)
    })

    it(`hides the address from DNS in an error, by ${way}`, async () => {
      await assert.rejects(
        go(guardWith({ lookup: answering([v4('10.9.8.7')]).lookup }), 'http://name.example/'),
        (error: Error) => !error.message.includes('10.9.8.7'),
      )
    })

    it(`rejects a public name on another port when connecting, by ${way}`, async () => {
      const guard = guardWith({
        allowPrivateNetworks: ['10.0.0.0/8'],
        lookup: answering([v4('93.184.216.34')]).lookup,
      })
      guard.checkUrl('http://name.example:6379/')
      await assert.rejects(go(guard, 'http://name.example:6379/'), isGuardRefusal)
    })

    it(`reaches an opened network on any port, and no other network, by ${way}`, async () => {
      const guard = guardWith({ allowPrivateNetworks: ['127.0.0.0/8'] })
      assert.equal(await go(guard, guard.checkUrl(`http://127.0.0.1:${port}/`).href), 'private')
      assert.throws(() => guard.checkUrl('http://10.0.0.1/'), isGuardRefusal)
    })
  }

  it('rejects ports of other protocols, also where networks are open and a service fetches', () => {
    const guard = guardWith({ allowPrivateNetworks: ['127.0.0.0/8', '10.0.0.0/8'] })
    for (const port of [1, 22, 25, 53, 143, 465, 587, 993, 2049, 6000, 6667, 10_080])
      for (const host of ['example.com', '127.0.0.1', '[::ffff:10.0.0.1]', 'localhost', 'db.lan'])
        for (const check of [guard.checkUrl, guard.checkHost])
          assert.throws(
            () => check(`https://${host}:${port}/`),
            (error) =>
              error instanceof AppError &&
              error.code === 'bad_url' &&
              error.message.includes(`Port ${port} `),
            `${host}:${port}`,
          )
    assert.throws(() => guard.checkUrl('https://example.com:587/', 'redirect'), AppError)
    guard.checkUrl('http://127.0.0.1:6379/')
  })

  it('rejects every port that fetch blocks', async () => {
    for (const port of BLOCKED_PORTS)
      await assert.rejects(
        fetch(`http://127.0.0.1:${port}/`),
        (error: Error) => port === 0 || /bad port/.test(String(error.cause)),
        String(port),
      )
    assert.equal(BLOCKED_PORTS.size, 83)
  })

  it('rejects an invalid network when the guard is created', () => {
    assert.throws(() => createGuard({ allowPrivateNetworks: ['127.0.0.1/99'] }), RangeError)
  })

  it('reads a page of the gateway only at its exact URL', async () => {
    const own = `http://127.0.0.1:${port}/page?x=1`
    const guard = guardWith({ ownPages: [own] })
    const url = guard.checkUrl(`${own}#part`)
    const reply = await request(url, { dispatcher: guard.dispatcherFor(url) })
    assert.equal(await reply.body.text(), 'private')
    const earlier = connections
    for (const other of [
      `http://127.0.0.1:${port}/page`,
      `http://127.0.0.1:${port}/page?x=2`,
      `http://127.0.0.1:${port}/page/?x=1`,
      `http://localhost:${port}/page?x=1`,
    ]) {
      assert.throws(() => guard.checkUrl(other), AppError, other)
      await assert.rejects(
        request(other, { dispatcher: guard.dispatcherFor(new URL(other)) }),
        isGuardRefusal,
        other,
      )
    }
    assert.throws(() => guard.checkUrl(own, 'redirect'), AppError)
    await assert.rejects(
      request(own, { dispatcher: guard.dispatcherFor(new URL(own), 'redirect') }),
      isGuardRefusal,
    )
    await assert.rejects(
      guard.connect('127.0.0.1', port, AbortSignal.timeout(60_000)),
      isGuardRefusal,
    )
    assert.equal(connections, earlier)
  })
})
