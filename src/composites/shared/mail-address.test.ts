import assert from 'node:assert/strict'
import { test } from 'node:test'
import { departmentOf, isRoleName, parseMailAddress, parsePublicDomain } from './mail-address.ts'
import { isDisposable, isWebmailDomain } from './mail-domains.ts'
import { findMailRoute } from './mail-hosts.ts'

test('writes the domain of an address in lower case and Punycode', () => {
  assert.deepEqual(parseMailAddress(' Ana.X+shop@BÜCHER.example '), {
    email: 'Ana.X+shop@xn--bcher-kva.example',
    local: 'Ana.X+shop',
    domain: 'xn--bcher-kva.example',
  })
  assert.equal(parseMailAddress('анна@example.com')?.local, 'анна')
})

test('rejects addresses beyond the limits of RFC 5321, and text that could end a command', () => {
  for (const text of [
    '',
    '@example.com',
    'ana@',
    'ana@localhost',
    'ana@1.2.3.4',
    '.ana@example.com',
    'ana.@example.com',
    'a..b@example.com',
    'a@b@example.com',
    'ana@example.com/path',
    'ana@example.com:25',
    'ana@exa mple.com',
    'ana>\r\nDATA@example.com',
    'ana\u0000@example.com',
    'a\u0085b@example.com',
    `${'a'.repeat(65)}@example.com`,
    `${'ж'.repeat(33)}@example.com`,
    `ana@${'a'.repeat(64)}.example`,
    `ana@${'a.'.repeat(126)}example`,
  ])
    assert.equal(parseMailAddress(text), null, JSON.stringify(text))
  assert.notEqual(parseMailAddress(`${'a'.repeat(64)}@example.com`), null)
})

test('rejects domains of private networks', () => {
  assert.equal(parsePublicDomain('https://Example.com/a'), 'example.com')
  assert.equal(parsePublicDomain('db.internal'), null)
})

test('knows mailboxes of roles, providers and temporary addresses', () => {
  assert.deepEqual(
    ['Sales', 'info', 'ana'].map((name) => [isRoleName(name), departmentOf(name)]),
    [
      [true, 'sales'],
      [true, null],
      [false, null],
    ],
  )
  assert.deepEqual(['gmail.com', 'yahoo.co.uk', 'example.com'].map(isWebmailDomain), [
    true,
    true,
    false,
  ])
  assert.deepEqual(['mailinator.com', 'example.com'].map(isDisposable), [true, false])
})

test('finds the email servers in their order, and falls back to the address without MX records', async () => {
  const zone: Readonly<Record<string, readonly unknown[]>> = {
    'MX two.example': [
      { exchange: 'b.example', priority: 20 },
      { exchange: 'a.example', priority: 5 },
    ],
    'MX many.example': Array.from({ length: 4_000 }, (_, priority) => ({
      exchange: `mx${priority}.many.example`,
      priority,
    })),
    'AAAA six.example': ['2001:db8::1'],
    'MX null.example': [{ exchange: '', priority: 0 }],
    'A null.example': ['192.0.2.1'],
  }
  const resolve = async (domain: string, kind: string) => zone[`${kind} ${domain}`] ?? []
  const routeOf = async (domain: string) => {
    const { kind, servers } = await findMailRoute({ resolve }, domain)
    return [kind, ...servers.map(({ exchange }) => exchange)].join(' ')
  }
  assert.equal(await routeOf('two.example'), 'mx a.example b.example')
  assert.equal(await routeOf('six.example'), 'address six.example')
  assert.equal(await routeOf('null.example'), 'none')
  assert.equal(await routeOf('nothing.example'), 'none')
  assert.equal((await findMailRoute({ resolve }, 'many.example')).servers.length, 20)
})
