import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mock, test } from 'node:test'
import { createCompose } from '../sending/compose.ts'
import { createSenderCheck, type DnsResolver } from './check-sender.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const KEY = {
  selector: 's1',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
const NAMES: Readonly<Record<string, string>> = {
  'sender.example': 'v=spf1 ip4:192.0.2.1 -all',
  's1._domainkey.sender.example': `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  '_dmarc.sender.example': 'v=DMARC1; p=reject',
  '_dmarc.bank.example': 'v=DMARC1; p=reject',
}
const missing = (name: string): Error => Object.assign(new RangeError(name), { code: 'ENOTFOUND' })
const resolve: DnsResolver = async (name, kind) => {
  const text = NAMES[name]
  if (kind !== 'TXT' || text === undefined) throw missing(name)
  return [[text]]
}
const compose = createCompose('sender.example', KEY, () => Date.UTC(2026, 9, 14))
const signed = await compose({
  inbox: 'bo@sender.example',
  displayName: null,
  messageId: '<1@sender.example>',
  to: ['ana@agents.example'],
  subject: 'Hello',
  text: 'Pay 10 euros.',
  html: undefined,
  inReplyTo: null,
  references: [],
})
const check = createSenderCheck('agents.example', resolve)
const genuine = { ip: '192.0.2.1', helo: 'mx.sender.example', sender: 'bo@sender.example' }
const elsewhere = { ip: '198.51.100.7', helo: 'mx.evil.example', sender: 'bo@sender.example' }

test('passes a genuine message, also one that was forwarded with its signature', async () => {
  assert.deepEqual(await check(signed, genuine), {
    spf: 'pass',
    dkim: 'pass',
    dmarc: 'pass',
    dmarc_policy: 'reject',
    signed_by: ['sender.example'],
  })
  const forwarded = await check(signed, elsewhere)
  assert.deepEqual([forwarded.spf, forwarded.dkim, forwarded.dmarc], ['fail', 'pass', 'pass'])
})

test('fails a forged and a changed message', async () => {
  const forged = Buffer.from('From: Bo <bo@sender.example>\r\nSubject: Hello\r\n\r\nPay me.\r\n')
  assert.deepEqual(await check(forged, elsewhere), {
    spf: 'fail',
    dkim: 'none',
    dmarc: 'fail',
    dmarc_policy: 'reject',
    signed_by: [],
  })
  const changed = Buffer.from(signed.toString().replace('Pay 10 euros', 'Pay 99 euros'))
  const result = await check(changed, elsewhere)
  assert.equal(result.dmarc, 'fail')
  assert.notEqual(result.dkim, 'pass')
  assert.deepEqual(result.signed_by, [])
})

test('does not verify a domain with the signature or server of another one', async () => {
  const other = Buffer.from(signed.toString().replace('From: bo@sender.', 'From: ceo@bank.'))
  const { dmarc } = await check(other, genuine)
  assert.equal(dmarc, 'fail')
})

test('reports none without records, and temperror while name servers do not respond', async () => {
  const none = await createSenderCheck('agents.example', async (name) => {
    throw missing(name)
  })(Buffer.from('From: bo@sender.example\r\n\r\nx\r\n'), elsewhere)
  assert.deepEqual([none.spf, none.dkim, none.dmarc], ['none', 'none', 'none'])
  mock.timers.enable({ apis: ['setTimeout'] })
  const silent = createSenderCheck('agents.example', () => new Promise<never>(() => undefined))
  const waiting = silent(signed, genuine)
  mock.timers.tick(15_000)
  const result = await waiting
  mock.timers.reset()
  assert.deepEqual(result, {
    spf: 'temperror',
    dkim: 'temperror',
    dmarc: 'temperror',
    dmarc_policy: null,
    signed_by: [],
  })
})

test('limits the name lookups that one message causes', async () => {
  let count = 0
  const many = Array.from(
    { length: 200 },
    (_, number) =>
      `DKIM-Signature: v=1; a=rsa-sha256; d=d${number}.example; s=s; h=from; bh=AAAA; b=AAAA\r\n`,
  ).join('')
  await createSenderCheck('agents.example', async (name) => {
    count += 1
    throw missing(name)
  })(Buffer.from(`${many}From: bo@sender.example\r\n\r\nx\r\n`), genuine)
  assert.ok(count <= 40, String(count))
})
