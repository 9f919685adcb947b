import assert from 'node:assert/strict'
import { it } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import type { Sent } from '../sent.ts'
import { Gate, type PermitRequest } from './gate.ts'
import { Limiter } from './limiter.ts'
import { FREE_PERMIT, type Permit } from './permit.ts'

const ANSWERED: Sent = { ok: true, reply: { status: 200, headers: {}, body: {} } }
const inTime: PermitRequest = { deadline: { leftMs: 20_000, isOver: false, givenMs: 30_000 } }
const expired = (givenMs: number, leftMs = 0): PermitRequest => ({
  deadline: { leftMs, isOver: true, givenMs },
})

function failed(code: ErrorCode, status: number | null, waitMs?: number): Sent {
  const failure = {
    code,
    message: '',
    details: { upstream: { service: 'shop', status, code: null, message: null } },
  }
  return waitMs === undefined ? { ok: false, failure } : { ok: false, failure, waitMs }
}

function bed() {
  const now = manualClock(1_000_000)
  const pauses: number[] = []
  const store = {
    take: () => assert.fail('nothing is limited'),
    pause: async () => {},
    pauses: async () => [],
  }
  const limiter = new Limiter({ label: 'shop', allowance: null, store, now, alarm: () => () => {} })
  const gate = new Gate({ limiter, now, onPause: (ms) => pauses.push(ms) })
  function acquire(origin?: string): Permit {
    const permit = gate.acquire(inTime, origin)
    assert.ok(!(permit instanceof Promise))
    return permit
  }
  return {
    gate,
    now,
    pauses,
    acquire,
    end: (sent: Sent, asker = inTime, origin?: string) =>
      gate.release(acquire(origin), sent, asker, origin),
  }
}

it('grants the same permit immediately for a vendor without limits', () => {
  const { acquire, end } = bed()
  end(ANSWERED)
  assert.equal(acquire(), FREE_PERMIT)
})

it('counts lost connections, statuses from 500 and timeouts as failures', () => {
  for (const [sent, asker] of [
    [failed('upstream_error', null), inTime],
    [failed('upstream_error', 502), inTime],
    [failed('upstream_timeout', 504), inTime],
    [failed('upstream_timeout', null), expired(5_000)],
  ] as const) {
    const { acquire, end } = bed()
    for (let time = 0; time < 5; time += 1) end(sent, asker)
    assert.deepEqual(acquire().refusal, { reason: 'failing', waitMs: 5_000 })
  }
})

it('counts no rejections, also in a readable 5xx, and no cancelled or short calls', () => {
  const others: readonly (readonly [Sent, PermitRequest])[] = [
    [failed('upstream_rejected', 422), inTime],
    [failed('upstream_busy', 429), inTime],
    [failed('no_results', 500), inTime],
    [failed('upstream_payment', null), inTime],
    [failed('upstream_timeout', null), { ...expired(60_000), takesAnyTime: true }],
    [failed('upstream_error', 200), inTime],
    [failed('upstream_timeout', 408), inTime],
    [failed('upstream_timeout', null), expired(4_000)],
    [failed('upstream_timeout', null), expired(60_000, 30_000)],
  ]
  for (const [sent, asker] of others) {
    const { acquire, end } = bed()
    for (let time = 0; time < 9; time += 1) end(sent, asker)
    assert.equal(acquire().refusal, null)
  }
})

it('opens only for the failing host of a vendor', () => {
  const { acquire, end } = bed()
  for (let time = 0; time < 5; time += 1) end(failed('upstream_error', 500), inTime, 'archive')
  assert.equal(acquire('archive').refusal?.reason, 'failing')
  assert.equal(acquire().refusal, null)
})

it('lets one call at a time probe after a rest, and the next one after a cancelled probe', () => {
  const { gate, now, acquire, end } = bed()
  for (let time = 0; time < 5; time += 1) end(failed('upstream_error', 500))
  now.advance(5_000)
  const probe = acquire()
  assert.deepEqual([probe.isProbe, acquire().refusal?.reason], [true, 'failing'])
  gate.release(probe, failed('upstream_timeout', null), expired(60_000, 30_000))
  const next = acquire()
  assert.equal(next.isProbe, true)
  gate.release(next, ANSWERED, inTime)
  assert.equal(acquire(), FREE_PERMIT)
})

it('announces a pause once for any number of calls, of at most an hour', () => {
  const { pauses, gate } = bed()
  for (let time = 0; time < 3; time += 1)
    gate.release(FREE_PERMIT, failed('upstream_busy', 429, 2_000), inTime)
  gate.release(FREE_PERMIT, failed('upstream_error', 503, 86_400_000), inTime)
  assert.deepEqual(pauses, [2_000, 3_600_000])
  const permit = gate.acquire(inTime)
  assert.ok(!(permit instanceof Promise))
  assert.deepEqual(permit.refusal, { reason: 'limit', waitMs: 3_600_000 })
})

it('counts the hosts with an open breaker until they respond', () => {
  const { gate, end, now } = bed()
  const failure = failed('upstream_error', 502)
  for (let count = 0; count < 5; count += 1) {
    assert.equal(gate.openBreakers, 0)
    end(failure, inTime, 'one.example')
  }
  end(failure, inTime, 'other.example')
  assert.equal(gate.openBreakers, 1)
  now.advance(5_000)
  end(ANSWERED, inTime, 'one.example')
  assert.equal(gate.openBreakers, 0)
})
