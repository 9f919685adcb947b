import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anotherCaller } from '../../../test/harness/beds/calls.ts'
import { openEmailBed } from '../../../test/harness/beds/emails.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'
import { closeAccount } from '../../accounts/close-account.ts'
import { forgetAccount } from '../../accounts/forget-account.ts'
import { grantCredit } from '../../accounts/grant-credit.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { publicId } from '../../lib/ids.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { forgetSearches } from './email-searches.ts'

const bed = await openEmailBed()
const { zone, hosts, server, clock } = bed

const mx = (domain: string, ...exchanges: string[]) =>
  zone.set(
    `MX ${domain}`,
    exchanges.map((exchange, place) => ({ exchange, priority: 10 * place })),
  )
for (const domain of ['ok', 'all', 'grey', 'policy', 'odd'])
  mx(`${domain}.example`, `mx.${domain}.example`)
mx('null.example', '')
zone.set('A null.example', ['93.184.216.34'])
mx('private.example', 'mx.private.example', 'mx2.private.example')
hosts.set('mx.private.example', '10.0.0.5')
hosts.set('mx2.private.example', '169.254.169.254')
mx('second.example', 'closed.second.example', 'mx.second.example')
hosts.set('closed.second.example', '10.0.0.5')
const KNOWN = new Set(['ana@ok.example', 'ben@ok.example', 'ana@second.example'])
const rcpt = (email: string): string => {
  const domain = email.slice(email.indexOf('@') + 1)
  if (domain === 'all.example' || KNOWN.has(email)) return '250 ok'
  if (domain === 'grey.example') return '451 4.7.1 greylisted, try again'
  if (domain === 'policy.example') return '550 5.7.1 your address is listed'
  return domain === 'odd.example' ? '552 mailbox full' : '550 5.1.1 no such user'
}

type Case = {
  readonly email: string
  readonly contactfind: string
  readonly result: string
  readonly state: string
  readonly certainty?: string
  readonly isFree?: true
}
const CASES: readonly Case[] = [
  {
    email: 'ana@ok.example',
    contactfind: 'valid',
    result: 'deliverable',
    state: 'FOUND',
    certainty: 'ultra_sure',
  },
  {
    email: 'any@all.example',
    contactfind: 'accept_all',
    result: 'risky',
    state: 'FOUND',
    certainty: 'probable',
  },
  {
    email: 'ana@mailinator.com',
    contactfind: 'disposable',
    result: 'risky',
    state: 'FOUND',
    certainty: 'probable',
  },
  { email: 'no@ok.example', contactfind: 'invalid', result: 'undeliverable', state: 'NOT_FOUND' },
  { email: 'a@null.example', contactfind: 'invalid', result: 'undeliverable', state: 'NOT_FOUND' },
  { email: 'a@none.example', contactfind: 'invalid', result: 'undeliverable', state: 'NOT_FOUND' },
  { email: 'a..b@ok.example', contactfind: 'invalid', result: 'undeliverable', state: 'BAD_INPUT' },
  { email: 'a@grey.example', contactfind: 'unknown', result: 'risky', state: 'NOT_FOUND' },
  { email: 'a@odd.example', contactfind: 'unknown', result: 'risky', state: 'NOT_FOUND' },
  {
    email: 'a@policy.example',
    contactfind: 'unknown',
    result: 'risky',
    state: 'ABORTED',
    isFree: true,
  },
  {
    email: 'a@private.example',
    contactfind: 'unknown',
    result: 'risky',
    state: 'ABORTED',
    isFree: true,
  },
]
const priceOf = ({ isFree }: Case, price: Micros) => (isFree === true ? 0n : price)

for (const one of CASES)
  test(`verifies ${one.email} as ${one.contactfind} in the shapes of three vendors`, async () => {
    server.behave({ rcpt })
    const { email, isFree = false } = one
    const simple = await bed.run('contactfind/email-verify', { email })
    assertFits('contactfind/email-verify', simple.data)
    assert.deepEqual(
      [simple.data['data'], simple.charged, 'unchecked' in simple.data],
      [{ status: one.contactfind }, priceOf(one, cents('2')), isFree],
    )

    const detailed = await bed.run('emailintel/email-verifier', { email })
    assertFits('emailintel/email-verifier', detailed.data)
    const { result, smtp_check: isAccepted } = detailed.data['email'] as Record<string, unknown>
    assert.deepEqual(
      [result, isAccepted, detailed.charged, 'unchecked' in detailed.data],
      [
        one.result,
        one.contactfind === 'valid' || one.contactfind === 'accept_all',
        priceOf(one, cents('2')),
        isFree,
      ],
    )

    const launched = await bed.run('emailasync/email-verification', { email })
    assertFits('emailasync/email-verification', launched.data)
    assert.equal(launched.charged, priceOf(one, cents('2')))
    const { _id: id } = launched.data['item'] as { _id: string }
    const polled = await bed.run('emailasync/result', { id })
    assertFits('emailasync/result', polled.data)
    assert.equal(polled.charged, cents('1'))
    const [item] = polled.data['items'] as {
      _id: string
      status: string
      results: { emails: { email: string; certainty: string }[] }
    }[]
    assert.deepEqual(
      [item?._id, item?.status, item?.results.emails.map(({ certainty }) => certainty)],
      [id, one.state, one.certainty === undefined ? [] : [one.certainty]],
    )
  })

test('never sends a message or a sender, and asks for accept-all once an hour', async () => {
  server.behave({ rcpt })
  assert.ok(!server.lines.some((line) => /^DATA|^BDAT/i.test(line)))
  assert.ok(
    server.lines.filter((line) => line.startsWith('MAIL')).every((line) => line === 'MAIL FROM:<>'),
  )
  server.lines.length = 0
  await bed.run('contactfind/email-verify', { email: 'ben@ok.example' })
  await bed.run('contactfind/email-verify', { email: 'other@all.example' })
  const named = () => server.lines.filter((line) => line.startsWith('RCPT'))
  assert.deepEqual(named(), ['RCPT TO:<ben@ok.example>'])
  clock.advance(61 * 60_000)
  await bed.run('contactfind/email-verify', { email: 'ben@ok.example' })
  assert.equal(named().length, 3)
})

test('calls an address valid only after the server rejected another one', async () => {
  let count = 0
  server.behave({ rcpt: () => ((count += 1) % 2 === 1 ? '250 ok' : '451 later') })
  mx('shy.example', 'mx.shy.example')
  const { data, charged } = await bed.run('contactfind/email-verify', { email: 'a@shy.example' })
  assert.deepEqual([data['data'], charged], [{ status: 'unknown' }, cents('2')])
})

test('reads replies of Exchange Online, and ignores words of the address in a reply', async () => {
  mx('exchange.example', 'mx.exchange.example')
  server.behave({
    rcpt: (email) =>
      email === 'ana@exchange.example'
        ? '250 2.1.5 Recipient OK'
        : '550 5.4.1 Recipient address rejected: Access denied.',
  })
  const verify = async (email: string) => {
    const { data, charged } = await bed.run('contactfind/email-verify', { email })
    return [data['data'], charged]
  }
  assert.deepEqual(await verify('ana@exchange.example'), [{ status: 'valid' }, cents('2')])
  assert.deepEqual(await verify('no@exchange.example'), [{ status: 'invalid' }, cents('2')])
  mx('echo.example', 'mx.echo.example')
  server.behave({ rcpt: (email) => `550 <${email}> is unknown here` })
  for (const email of ['spam@echo.example', 'full@echo.example', 'a.policy@echo.example'])
    assert.deepEqual(await verify(email), [{ status: 'invalid' }, cents('2')])
})

test('charges nothing for a domain whose records are private', async () => {
  mx('inside.example', 'mx.inside.example')
  zone.set('A inside.example', ['10.0.0.5'])
  const { data, charged } = await bed.run('emailintel/email-verifier', {
    email: 'ana@inside.example',
  })
  const { status, mx_check: hasServers } = data['email'] as Record<string, unknown>
  assert.deepEqual([status, hasServers, charged], ['unknown', undefined, 0n])
  assert.ok('unchecked' in data)
})

test('asks the next server if the first one cannot be reached', async () => {
  server.behave({ rcpt })
  const { data } = await bed.run('contactfind/email-verify', { email: 'ana@second.example' })
  assert.deepEqual(data['data'], { status: 'valid' })
})

test('leaves a server that rejects the gateway alone for a quarter of an hour', async () => {
  mx('listed.example', 'mx.listed.example')
  server.behave({ greeting: '554 5.7.1 go away' })
  const verify = () => bed.run('emailintel/email-verifier', { email: 'a@listed.example' })
  const blocked = await verify()
  assert.deepEqual(
    [(blocked.data['email'] as { block: boolean }).block, blocked.charged],
    [true, 0n],
  )
  server.lines.length = 0
  server.behave({ rcpt: () => '550 5.1.1 no' })
  assert.equal((await verify()).charged, 0n)
  assert.deepEqual(server.lines, [])
  clock.advance(15 * 60_000)
  assert.equal((await verify()).charged, cents('2'))
})

test('limits the sessions of an account with one provider, at no charge', async () => {
  mx('busy.example', 'mx.busy.example')
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>()
  const release: (() => void)[] = []
  server.behave({
    rcpt,
    line(line, socket) {
      if (!line.startsWith('EHLO')) return undefined
      release.push(() => socket.write('250 mx.example\r\n'))
      if (release.length === 2) open()
      return ''
    },
  })
  const verify = (name: string) =>
    bed.run('contactfind/email-verify', { email: `${name}@busy.example` })
  const two = [verify('a'), verify('b')]
  await isOpen
  const before = await bed.balance()
  await assert.rejects(verify('c'), { code: 'rate_limited' })
  assert.deepEqual(await bed.balance(), before)
  for (const answer of release) answer()
  for (const { data } of await Promise.all(two))
    assert.deepEqual(data['data'], { status: 'invalid' })
})

test('asks no server without a public name, and charges only what DNS decides', async () => {
  const local = await openEmailBed({ PUBLIC_URL: 'http://127.0.0.1:4020' })
  local.zone.set('MX ok.example', [{ exchange: 'mx.ok.example', priority: 1 }])
  const verify = (email: string) => local.run('contactfind/email-verify', { email })
  const unknown = await verify('ana@ok.example')
  assert.deepEqual([unknown.data['data'], unknown.charged], [{ status: 'unknown' }, 0n])
  assert.match(String(unknown.data['unchecked']), /MAIL_DOMAIN/)
  const invalid = await verify('ana@none.example')
  assert.deepEqual([invalid.data['data'], invalid.charged], [{ status: 'invalid' }, cents('2')])
  assert.deepEqual(local.server.lines, [])
})

test('shows a search to its account only, and knows no ids of the vendor', async () => {
  server.behave({ rcpt })
  const other = await anotherCaller(bed)
  await grantCredit(
    { database: bed.database, now: clock },
    { accountId: other.accountId, mode: 'live', amount: cents('100') },
  )
  const { data } = await bed.run('emailasync/email-verification', { email: 'ana@ok.example' })
  const { _id: id } = data['item'] as { _id: string }
  for (const unknown of [id, 'vendor-id', '0'.repeat(32)])
    await assert.rejects(bed.run('emailasync/result', { id: unknown }, other), {
      code: 'unknown_job',
    })
  const idsOf = async (body: object, caller = bed.caller) => {
    const { data: listed } = await bed.run('emailasync/result', { mode: 'single', ...body }, caller)
    assertFits('emailasync/result', listed)
    return (listed['items'] as { _id: string }[]).map(({ _id }) => _id)
  }
  assert.deepEqual(await idsOf({ limit: 1 }), [id])
  assert.equal((await idsOf({})).length, CASES.length + 1)
  assert.deepEqual(await idsOf({ type: 'domain-scan' }), [])
  assert.deepEqual(await idsOf({}, other), [])
})

test('deletes searches with their account, and after 30 days', async () => {
  const other = await anotherCaller(bed)
  const { accountId } = other
  await grantCredit(
    { database: bed.database, now: clock },
    { accountId, mode: 'live', amount: cents('100') },
  )
  await bed.run('emailasync/email-verification', { email: 'a@none.example' }, other)
  const count = async () => {
    const { rows } = await bed.database.query<{ count: bigint }>(
      'select count(*) from email_searches where account_id = $1',
      [accountId],
    )
    return Number(rows[0]?.count)
  }
  assert.equal(await count(), 1)
  await forgetSearches(bed.database, clock() + 31 * DAY_MS)
  assert.equal(await count(), 0)
  await bed.run('emailasync/email-verification', { email: 'a@none.example' }, other)
  assert.equal(await count(), 1)
  await closeAccount(bed.database, publicId('account', accountId))
  await forgetAccount(bed.database, accountId)
  assert.equal(await count(), 0)
})

test('leaves balanced books', async () => {
  assert.equal((await verifyLedger(bed.database)).ok, true)
})

test('bounds unpaid sessions of an account with one server under many names', async () => {
  const limited: string[] = []
  for (let count = 0; count < 25; count += 1) {
    const domain = `d${count}.many${count}.example`
    mx(domain, `mx.many${count}.example`)
    zone.set(`A mx.many${count}.example`, ['198.51.100.7'])
    server.behave({ rcpt, greeting: '421 4.3.2 try again later' })
    const result = await bed
      .run('contactfind/email-verify', { email: `a@${domain}` })
      .then(({ charged }) => String(charged))
      .catch((error: { code: string }) => error.code)
    limited.push(result)
  }
  assert.deepEqual(limited, [...Array(20).fill('0'), ...Array(5).fill('rate_limited')])
  // Another account still asks the server.
  const other = await anotherCaller(bed)
  await grantCredit(
    { database: bed.database, now: clock },
    { accountId: other.accountId, mode: 'live', amount: cents('100') },
  )
  const { charged } = await bed.run(
    'contactfind/email-verify',
    { email: 'a@d24.many24.example' },
    other,
  )
  assert.equal(charged, 0n)
  server.behave({ rcpt })
})
