import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import type { DnsResolver } from './check-sender.ts'
import { createSenderChecker } from './sender-checker.ts'

const DELIVERY = { ip: '192.0.2.1', helo: 'mx.sender.example', sender: 'bo@sender.example' }
const resolve: DnsResolver = async (name, kind) => {
  if (kind === 'TXT' && name === 'sender.example') return [['v=spf1 ip4:192.0.2.1 -all']]
  throw Object.assign(new RangeError(name), { code: 'ENOTFOUND' })
}
const plain = Buffer.from('From: bo@sender.example\r\nSubject: Hello\r\n\r\nHello.\r\n')
/** Each signature limits the body to another length, so each needs a hash of its own. */
const heavy = Buffer.from(
  `${[1, 2, 3, 4, 5, 6, 7, 8].map((number) => `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=d${number}.example; s=s; l=${900_000 + number}; h=from; bh=AAAA; b=AAAA\r\n`).join('')}From: bo@sender.example\r\n\r\n${'a  b \t c\r\n'.repeat(100_000)}`,
)

test('blocks the gateway for no message, and delays no other message of the thread', async () => {
  const checker = createSenderChecker('agents.example', resolve)
  cleanUp(() => checker.close())
  await checker.check(plain, DELIVERY)
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
  const order: string[] = []
  const [hashed, quick] = await Promise.all([
    checker.check(heavy, DELIVERY).finally(() => order.push('heavy')),
    checker.check(plain, DELIVERY).finally(() => order.push('plain')),
  ])
  const [inThisThread, inAllThreads] = [process.threadCpuUsage(own), process.cpuUsage(all)]
  assert.deepEqual([hashed.spf, quick.spf], ['pass', 'pass'])
  assert.deepEqual(order, ['plain', 'heavy'])
  // CPU time, because a busy machine delays this thread too.
  const share = inThisThread.user / inAllThreads.user
  assert.ok(share < 0.3, `${share} of the CPU time`)
})

test('reports temperror without a result in time, and after the thread ends', async () => {
  const endless = createSenderChecker('agents.example', () => new Promise(() => undefined), {
    withinMs: 50,
    blockedMs: 3_000,
  })
  cleanUp(() => endless.close())
  assert.equal((await endless.check(plain, DELIVERY)).spf, 'temperror')
  const checker = createSenderChecker('agents.example', resolve)
  cleanUp(() => checker.close())
  const waiting = checker.check(plain, DELIVERY)
  await checker.close()
  assert.equal((await waiting).spf, 'temperror')
  assert.equal((await checker.check(plain, DELIVERY)).spf, 'pass')
})
