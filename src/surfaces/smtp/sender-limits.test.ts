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
import { createSenderLimits, MOST_OPEN, POINTS_PER_MINUTE } from './sender-limits.ts'

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
