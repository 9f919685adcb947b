import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { ownCertificate, readCertificate } from './read-certificate.ts'
import { createMessageMemory } from './read-message.ts'
import {
  createSenderLimits,
  HOSTILE_PER_NETWORK,
  HOSTILE_PER_SENDER,
  MOST_OPEN,
  OWN_NETWORK_FACTOR,
  POINTS_PER_MINUTE,
} from './sender-limits.ts'

test('limits open connections and messages of an address, or of a /64 of IPv6', () => {
  const clock = manualClock(1_000_000)
  const limits = createSenderLimits(clock)
  for (let count = 0; count < MOST_OPEN; count += 1)
    assert.ok(limits.open(`2001:db8:1:2::${count}`))
  assert.ok(!limits.open('2001:db8:1:2:ffff::1'))
  assert.ok(limits.open('2001:db8:1:3::1'))
  for (let count = 0; count <= MOST_OPEN; count += 1) limits.close('2001:db8:1:2::1')
  assert.ok(limits.open('2001:db8:1:2::1'))
  assert.ok(limits.spend('192.0.2.1', POINTS_PER_MINUTE))
  assert.ok(!limits.spend('192.0.2.1', 1))
  assert.ok(limits.spend('192.0.2.2', 1))
  clock.advance(60_001)
  assert.ok(limits.spend('192.0.2.1', 1))
})

test('pauses a sender of hostile messages, and not others behind the same forwarder', () => {
  const clock = manualClock(1_000_000)
  const limits = createSenderLimits(clock)
  const hop = '192.0.2.1'
  for (let count = 0; count < HOSTILE_PER_SENDER; count += 1) {
    assert.ok(limits.mayStart(hop, 'x@evil.example'))
    limits.blame(hop, `${count}@Evil.example.`)
  }
  assert.ok(!limits.mayStart(hop, 'y@evil.example'))
  assert.ok(limits.mayStart(hop, 'bo@sender.example'))
  assert.ok(limits.mayStart(hop, ''))
  assert.ok(limits.open(hop) && limits.spend(hop, 1))
  assert.ok(limits.mayStart('192.0.2.2', 'y@evil.example'), 'another network')
  clock.advance(60_001)
  assert.ok(limits.mayStart(hop, 'y@evil.example'))
})

test('finds the sender that a forwarder rewrote', () => {
  const limits = createSenderLimits(manualClock(1_000_000))
  const hop = '192.0.2.1'
  for (const sender of [
    'SRS0=HHH=TT=evil.example=x@forwarder.example',
    'srs1+HHH=first.example==HHH=TT=evil.example=x@forwarder.example',
  ])
    limits.blame(hop, sender)
  assert.ok(!limits.mayStart(hop, 'SRS0=HHI=TU=evil.example=y@forwarder.example'))
  assert.ok(!limits.mayStart(hop, 'y@evil.example'))
  assert.ok(limits.mayStart(hop, 'SRS0=HHH=TT=sender.example=bo@forwarder.example'))
  assert.ok(limits.mayStart(hop, 'bo@forwarder.example'))
})

test('pauses a network after many hostile messages of any senders', () => {
  const clock = manualClock(1_000_000)
  const limits = createSenderLimits(clock)
  const blame = (address: string, from: number, to: number): void => {
    for (let count = from; count < to; count += 1) limits.blame(address, `x@evil${count}.example`)
  }
  blame('192.0.2.1', 1, HOSTILE_PER_NETWORK)
  assert.ok(limits.open('192.0.2.1'))
  blame('192.0.2.1', 0, 1)
  assert.ok(!limits.open('192.0.2.1') && !limits.spend('192.0.2.1', 1))
  assert.ok(limits.open('192.0.2.2'))
  clock.advance(60_001)
  assert.ok(limits.open('192.0.2.1'))
})

test('allows loopback and networks of the operator more, and bounds them, too', () => {
  const limits = createSenderLimits(manualClock(1_000_000), ['10.0.0.0/8'])
  for (const own of ['127.0.0.1', '::1', '::ffff:10.1.2.3']) {
    for (let count = 1; count < HOSTILE_PER_NETWORK * OWN_NETWORK_FACTOR; count += 1)
      limits.blame(own, `x@evil${count}.example`)
    assert.ok(limits.spend(own, POINTS_PER_MINUTE + 1), own)
    assert.ok(!limits.spend(own, POINTS_PER_MINUTE * OWN_NETWORK_FACTOR), own)
  }
  const most = HOSTILE_PER_SENDER * OWN_NETWORK_FACTOR
  for (let count = 0; count < most; count += 1) {
    assert.ok(limits.mayStart('10.9.9.9', 'x@evil.example'))
    limits.blame('10.9.9.9', 'x@evil.example')
  }
  assert.ok(!limits.mayStart('10.9.9.9', 'x@evil.example'))
  for (let count = most; count < HOSTILE_PER_NETWORK * OWN_NETWORK_FACTOR; count += 1)
    limits.blame('10.9.9.9', `x@evil${count}.example`)
  assert.ok(!limits.open('10.9.9.9'))
})

test('bounds the bytes of all messages in progress', () => {
  const memory = createMessageMemory(10)
  assert.ok(memory.take(8))
  assert.ok(!memory.take(3))
  memory.release(8)
  assert.ok(memory.take(10))
})

test('creates one certificate per data folder, also for concurrent starts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-mail-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const made = await Promise.all(
    [1, 2, 3].map(() => ownCertificate(folder, 'agents.example', Date.now())),
  )
  assert.equal(new Set(made.map(({ cert }) => cert)).size, 1)
  const { subjectAltName, validTo, publicKey } = new X509Certificate(made[0]?.cert ?? '')
  assert.equal(subjectAltName, 'DNS:agents.example')
  assert.ok(Date.parse(validTo) > Date.now() + 19 * 365 * 86_400_000)
  assert.ok(new X509Certificate(made[0]?.cert ?? '').verify(publicKey))
  await assert.rejects(readCertificate(folder), /MAIL_TLS_FOLDER/)
})
