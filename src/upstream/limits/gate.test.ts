import assert from 'node:assert/strict'
import { it } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import type { Sent } from '../send.ts'
import { Gate, type Asker } from './gate.ts'
import { Limiter } from './limiter.ts'
import { FREE_TURN, type Turn } from './turn.ts'

const ANSWERED: Sent = { ok: true, reply: { status: 200, headers: {}, body: {} } }
const inTime: Asker = { deadline: { leftMs: 20_000, isOver: false, givenMs: 30_000 } }
const expired = (givenMs: number, leftMs = 0): Asker => ({
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
  function enter(origin?: string): Turn {
    const turn = gate.enter(inTime, origin)
    assert.ok(!(turn instanceof Promise))
    return turn
  }
  return {
    gate,
    now,
    pauses,
    enter,
    end: (sent: Sent, asker = inTime, origin?: string) =>
      gate.left(enter(origin), sent, asker, origin),
  }
}

it('a vendor that asks for nothing is entered at once, with the same leave for all', () => {
  const { enter, end } = bed()
  end(ANSWERED)
  assert.equal(enter(), FREE_TURN)
})

it('lost connections, answers of 500 and more, and time-outs count as failures', () => {
  for (const [sent, asker] of [
    [failed('upstream_error', null), inTime],
    [failed('upstream_error', 502), inTime],
    [failed('upstream_timeout', 504), inTime],
    [failed('upstream_timeout', null), expired(5_000)],
  ] as const) {
    const { enter, end } = bed()
    for (let time = 0; time < 5; time += 1) end(sent, asker)
    assert.deepEqual(enter().refusal, { reason: 'failing', waitMs: 5_000 })
  }
})

it('refusals, also those in a 5xx that the vendor’s record can read, and calls cut short or in a hurry do not', () => {
  const others: readonly (readonly [Sent, Asker])[] = [
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
    const { enter, end } = bed()
    for (let time = 0; time < 9; time += 1) end(sent, asker)
    assert.equal(enter().refusal, null)
  }
})

it('of the hosts of a vendor only the one that fails is left alone', () => {
  const { enter, end } = bed()
  for (let time = 0; time < 5; time += 1) end(failed('upstream_error', 500), inTime, 'archive')
  assert.equal(enter('archive').refusal?.reason, 'failing')
  assert.equal(enter().refusal, null)
})

it('one call at a time tries a vendor after its rest, and one that was given up leaves the try to the next', () => {
  const { gate, now, enter, end } = bed()
  for (let time = 0; time < 5; time += 1) end(failed('upstream_error', 500))
  now.advance(5_000)
  const probe = enter()
  assert.deepEqual([probe.isProbe, enter().refusal?.reason], [true, 'failing'])
  gate.left(probe, failed('upstream_timeout', null), expired(60_000, 30_000))
  const next = enter()
  assert.equal(next.isProbe, true)
  gate.left(next, ANSWERED, inTime)
  assert.equal(enter(), FREE_TURN)
})

it('a pause is announced once, however many calls are told of it, and is an hour at most', () => {
  const { pauses, gate } = bed()
  for (let time = 0; time < 3; time += 1)
    gate.left(FREE_TURN, failed('upstream_busy', 429, 2_000), inTime)
  gate.left(FREE_TURN, failed('upstream_error', 503, 86_400_000), inTime)
  assert.deepEqual(pauses, [2_000, 3_600_000])
  const turn = gate.enter(inTime)
  assert.ok(!(turn instanceof Promise))
  assert.deepEqual(turn.refusal, { reason: 'limit', waitMs: 3_600_000 })
})

it('tells how many hosts of a vendor are left alone, until they answer again', () => {
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
