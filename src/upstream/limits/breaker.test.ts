import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Breaker } from './breaker.ts'

const call = { isProbe: false, accountId: 'a' }
const probe = { ...call, isProbe: true }
const other = { ...call, accountId: 'b' }
const third = { ...call, accountId: 'c' }

function opened(): Breaker {
  const breaker = new Breaker()
  for (let failure = 0; failure < 5; failure += 1) breaker.failed(call, 1_000)
  return breaker
}

it('opens for five seconds after five failures in a row, not after four', () => {
  const breaker = new Breaker()
  for (let failure = 0; failure < 4; failure += 1) breaker.failed(call, 1_000)
  assert.equal(breaker.isClosedFor('a'), true)
  breaker.failed(call, 1_000)
  assert.deepEqual(
    [
      breaker.isClosedFor('a'),
      breaker.restMs('a', 1_000),
      breaker.restMs('a', 5_999),
      breaker.restMs('a', 6_000),
    ],
    [false, 5_000, 1, 0],
  )
})

it('ends the run after a response, or a minute without a failure', () => {
  const breaker = new Breaker()
  for (let failure = 0; failure < 12; failure += 1) {
    breaker.failed(call, 1_000)
    if (failure % 4 === 3) breaker.answered(call, 7_000)
  }
  for (let failure = 0; failure < 12; failure += 1) breaker.failed(call, 2_000 + failure * 60_001)
  assert.equal(breaker.isClosedFor('a'), true)
})

it('lets one call at a time probe after its rest', () => {
  const breaker = opened()
  assert.equal(breaker.restMs('a', 6_000), 0)
  breaker.probe('a')
  assert.ok(breaker.restMs('a', 6_000) > 0)
})

it('closes after a successful probe, and needs a new run to open again', () => {
  const breaker = opened()
  breaker.probe('a')
  breaker.answered(probe, 7_000)
  for (let failure = 0; failure < 4; failure += 1) breaker.failed(call, 7_000)
  assert.equal(breaker.isClosedFor('a'), true)
})

it('doubles the rest after each failed probe, up to a minute', () => {
  const breaker = opened()
  const rests = [0, 0, 0, 0, 0].map(() => {
    breaker.probe('a')
    breaker.failed(probe, 10_000)
    return breaker.restMs('a', 10_000)
  })
  assert.deepEqual(rests, [10_000, 20_000, 40_000, 60_000, 60_000])
})

it('lets the next call probe after a cancelled probe', () => {
  const breaker = opened()
  breaker.probe('a')
  breaker.undecided(probe)
  assert.equal(breaker.restMs('a', 6_000), 0)
})

it('counts only the result of the probe while open', () => {
  const breaker = opened()
  breaker.answered(call, 3_000)
  breaker.failed(call, 4_000)
  breaker.undecided(call)
  assert.deepEqual([breaker.isClosedFor('a'), breaker.restMs('a', 4_000)], [false, 2_000])
})

it('opens only for an account that fails alone; a response to another account closes it', () => {
  const breaker = opened()
  assert.deepEqual([breaker.restMs('a', 1_000), breaker.restMs('b', 1_000)], [5_000, 0])
  breaker.answered(other, 7_000)
  assert.ok(breaker.isSound)
})

function openedForAll(): Breaker {
  const breaker = opened()
  for (const one of [other, third]) breaker.failed(one, 2_000)
  return breaker
}

/** One call of the account probes and fails. */
function tries(breaker: Breaker, accountId: string, atMs: number): void {
  assert.equal(breaker.restMs(accountId, atMs), 0)
  breaker.probe(accountId)
  breaker.failed({ isProbe: true, accountId }, atMs)
}

it('blocks only the two accounts that fail alternately', () => {
  const breaker = new Breaker()
  for (let permit = 0; permit < 5; permit += 1)
    for (const one of [call, other]) breaker.failed(one, 1_000)
  assert.deepEqual(
    ['a', 'b', 'c'].map((account) => breaker.restMs(account, 1_000)),
    [5_000, 5_000, 0],
  )
  for (let time = 6_000; time < 600_000; time += 60_000) {
    tries(breaker, time % 120_000 > 60_000 ? 'a' : 'b', time)
    assert.equal(breaker.restMs('c', time), 0)
  }
})

it("does not add one account's failure to another account's", () => {
  const breaker = opened()
  breaker.failed(other, 1_000)
  assert.equal(breaker.isClosedFor('b'), true)
})

it('opens for all after a third account fails; another may probe, and its failure rests all', () => {
  for (const breaker of [openedForAll(), new Breaker()]) {
    if (breaker.isSound)
      for (const one of [call, other, third, call, other]) breaker.failed(one, 2_000)
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((account) => breaker.restMs(account, 2_000)),
      [10_000, 10_000, 10_000, 0],
    )
    breaker.probe('d')
    assert.ok(breaker.restMs('e', 2_000) > 0)
    breaker.failed({ isProbe: true, accountId: 'd' }, 2_000)
    assert.deepEqual(
      ['e', 'f'].map((account) => breaker.restMs(account, 2_000)),
      [5_000, 5_000],
    )
    tries(breaker, 'e', 7_000)
    assert.equal(breaker.restMs('f', 7_000), 10_000)
  }
})

it('lets other accounts probe before those of the run, while open for all', () => {
  const breaker = openedForAll()
  tries(breaker, 'd', 2_000)
  assert.deepEqual(
    ['a', 'd', 'e'].map((account) => breaker.restMs(account, 7_000)),
    [10_000, 10_000, 0],
  )
  assert.equal(breaker.restMs('a', 17_000), 0)
})

it("keeps the accounts of the run from extending other accounts' rest or blocking their probes", () => {
  const breaker = openedForAll()
  for (const [account, atMs] of [
    ['a', 12_000],
    ['b', 27_000],
    ['c', 52_000],
  ] as const) {
    tries(breaker, account, atMs)
    assert.equal(breaker.restMs('d', atMs), 0)
  }
  breaker.probe('a')
  assert.equal(breaker.restMs('d', 52_000), 0)
})

it('opens only for refuted accounts, for ten minutes', () => {
  const breaker = openedForAll()
  breaker.probe('d')
  breaker.answered({ isProbe: true, accountId: 'd' }, 3_000)
  for (const atMs of [4_000, 602_999]) {
    for (let permit = 0; permit < 5; permit += 1)
      for (const one of [call, other, third]) breaker.failed(one, atMs)
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((account) => breaker.isClosedFor(account)),
      [false, false, false, true],
    )
    for (const accountId of ['e', 'f']) breaker.failed({ isProbe: false, accountId }, atMs)
    assert.equal(breaker.isClosedFor('d'), true)
    breaker.answered({ isProbe: false, accountId: 'd' }, atMs)
  }
  for (const one of [call, other, third, call, other]) breaker.failed(one, 603_000)
  assert.equal(breaker.isClosedFor('d'), false)
})

it('opens for every account when a recovered vendor fails again', () => {
  const breaker = openedForAll()
  breaker.probe('d')
  breaker.answered({ isProbe: true, accountId: 'd' }, 3_000)
  for (const accountId of ['a', 'b', 'c', 'd'])
    for (let failure = 0; failure < 5; failure += 1)
      breaker.failed({ isProbe: false, accountId }, 4_000)
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((account) => breaker.restMs(account, 4_000)),
    [5_000, 5_000, 5_000, 5_000],
  )
})

it("ignores one account's earlier rest at the first failure of another", () => {
  const breaker = opened()
  breaker.failed(other, 61_001)
  assert.deepEqual([breaker.restMs('b', 61_001), breaker.restMs('a', 61_001)], [0, 0])
})
