import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { faultOf } from '../db/fault.ts'
import type { Columns } from '../db/pipeline/answer-reader.ts'
import type { Statement } from '../db/pipeline/statement-bytes.ts'
import { createGroupCommit } from './group-commit.ts'
import type { HoldRequest } from './hold.ts'

const HOLD: HoldRequest = {
  id: '019bbc611e40703c9791849b5ea9e0e8',
  walletId: 1,
  budgetId: null,
  amount: 1n,
  deadlineMs: 1,
  kind: 'call',
  service: 'search',
  action: 'web',
  externalId: null,
  claim: null,
}

const opened = (holds: number): readonly Columns[] => [[null, 'o'.repeat(holds), '{1}', '{1}']]
const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

/** A connection that answers every flush until the test breaks it. */
class FakeLine {
  isBroken = false
  isEnded = false
  isCut = false
  readonly gone = Promise.withResolvers<void>()
  readonly lost = this.gone.promise

  async connect(): Promise<void> {}

  async query(_statement: Statement): Promise<readonly Columns[]> {
    if (this.isBroken) throw reset()
    return opened(1)
  }

  cut(): void {
    this.isCut = true
  }

  async end(): Promise<void> {
    this.isEnded = true
  }
}

/** The opened connections, in order. `make` gets the index of each. */
function commitsOver<Kind extends FakeLine>(make: (place: number) => Kind) {
  const lines: Kind[] = []
  const connect = (): Kind => {
    const line = make(lines.length)
    lines.push(line)
    return line
  }
  return { lines, commits: createGroupCommit({ connect, now: () => 0 }) }
}

test('the late end of a broken connection does not close its replacement', async () => {
  const { lines, commits } = commitsOver(() => new FakeLine())
  await commits.open(HOLD)
  const [first] = lines as [FakeLine]
  first.isBroken = true
  await assert.rejects(commits.open(HOLD), { code: 'ECONNRESET' })
  await commits.open(HOLD)
  first.gone.resolve()
  await commits.open(HOLD)
  await commits.close()
  assert.equal(lines.length, 2)
  assert.equal(lines[1]?.isEnded, true)
})

test('retries a failed connection for the next flush', async () => {
  let attempts = 0
  const { commits } = commitsOver(() => {
    attempts += 1
    const line = new FakeLine()
    if (attempts === 1) line.connect = () => Promise.reject(new Error('connect ECONNREFUSED'))
    if (attempts === 2) throw new RangeError('no such port')
    return line
  })
  await assert.rejects(commits.open(HOLD), { message: 'connect ECONNREFUSED' })
  await assert.rejects(commits.open(HOLD), { message: 'no such port' })
  assert.equal((await commits.open(HOLD)).verdict, 'opened')
  await commits.close()
})

test('connects once per flush to a server that refuses, and does not blame the calls', async () => {
  const { lines, commits } = commitsOver((place) => {
    const refusal = Object.assign(
      new pg.DatabaseError('password authentication failed', 0, 'error'),
      { code: '28P01' },
    )
    return Object.assign(
      new FakeLine(),
      place === 0 ? { connect: () => Promise.reject(refusal) } : {},
    )
  })
  const outcomes = await Promise.allSettled([
    commits.open(HOLD),
    commits.open(HOLD),
    commits.open(HOLD),
  ])
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && faultOf(outcome.reason)),
    ['connection', 'connection', 'connection'],
  )
  assert.deepEqual(
    lines.map(({ isCut }) => isCut),
    [true],
  )
  assert.equal((await commits.open(HOLD)).verdict, 'opened')
  await commits.close()
})

/** A connection whose flushes the test answers. */
class SlowLine extends FakeLine {
  readonly flushes: { readonly holds: number; answer(): void; lose(): void }[] = []

  override async query({ name, values }: Statement): Promise<readonly Columns[]> {
    // The statement with the connection's settings has no name.
    if (name === '') return []
    const holds = holdsIn(values)
    const { promise, resolve, reject } = Promise.withResolvers<readonly Columns[]>()
    this.flushes.push({ holds, answer: () => resolve(opened(holds)), lose: () => reject(reset()) })
    return promise
  }
}

// Each hold passes its id, alone as text or in a binary array.
function holdsIn(values: Statement['values']): number {
  const texts = values.map((value) => (Buffer.isBuffer(value) ? value.toString('hex') : value))
  return texts.join().split(HOLD.id).length - 1
}

const untilFlushed = (): Promise<void> =>
  new Promise((done) => setImmediate(() => setImmediate(done)))

test('sends a second flush of the same size before the first is answered, and never a third', async () => {
  const line = new SlowLine()
  const { commits } = commitsOver(() => line)
  const open = (count: number): Promise<unknown>[] =>
    Array.from({ length: count }, () => commits.open(HOLD))
  const all = open(10)
  await untilFlushed()
  all.push(...open(9))
  await untilFlushed()
  assert.deepEqual(
    line.flushes.map(({ holds }) => holds),
    [10],
  )
  all.push(...open(6))
  await untilFlushed()
  assert.deepEqual(
    line.flushes.map(({ holds }) => holds),
    [10, 15],
  )
  all.push(...open(200))
  await untilFlushed()
  assert.equal(line.flushes.length, 2)
  line.flushes[0]?.answer()
  await untilFlushed()
  assert.deepEqual(
    line.flushes.map(({ holds }) => holds),
    [10, 15, 200],
  )
  line.flushes[1]?.answer()
  line.flushes[2]?.answer()
  assert.equal((await Promise.all(all)).length, 225)
  await commits.close()
})

/** A connection on a database that two other processes flush to. */
class SharedLine extends SlowLine {
  override async query(statement: Statement): Promise<readonly Columns[]> {
    return statement.text.includes('pg_stat_activity') ? [['2']] : super.query(statement)
  }
}

test('sends one flush at a time next to other processes, and leaves each of them a turn', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const line = new SharedLine()
  const turns: { readonly ms: number; end(): void }[] = []
  let nowMs = 0
  const commits = createGroupCommit({
    connect: () => line,
    now: () => 0,
    monotonicMs: () => nowMs,
    pause: (ms) => new Promise<void>((end) => turns.push({ ms, end })),
  })
  const open = (count: number): Promise<unknown>[] =>
    Array.from({ length: count }, () => commits.open(HOLD))
  const all = open(1)
  await untilFlushed()
  line.flushes[0]?.answer()
  t.mock.timers.tick(5_000)
  await untilFlushed()
  all.push(...open(10))
  await untilFlushed()
  all.push(...open(20))
  await untilFlushed()
  assert.equal(line.flushes.length, 2)
  nowMs = 3
  line.flushes[1]?.answer()
  await untilFlushed()
  assert.deepEqual([line.flushes.length, turns.map(({ ms }) => ms)], [2, [6]])
  turns[0]?.end()
  await untilFlushed()
  assert.equal(line.flushes[2]?.holds, 20)
  nowMs = 1_003
  line.flushes[2]?.answer()
  await untilFlushed()
  // A slow database is no reason to wait long.
  assert.equal(turns[1]?.ms, 10)
  turns[1]?.end()
  all.push(...open(1))
  await untilFlushed()
  line.flushes[3]?.answer()
  await Promise.all(all)
  assert.equal(turns.length, 2)
  await commits.close()
})

test('two flushes lost with their connection close it once, and not its replacement', async () => {
  const { lines, commits } = commitsOver(() => new SlowLine())
  const open = (count: number): Promise<unknown> =>
    Promise.allSettled(Array.from({ length: count }, () => commits.open(HOLD)))
  const first = open(1)
  await untilFlushed()
  const second = open(30)
  await untilFlushed()
  lines[0]?.flushes[0]?.lose()
  await first
  assert.equal(lines[0]?.isCut, true)
  const third = open(30)
  await untilFlushed()
  lines[0]?.flushes[1]?.lose()
  await second
  lines[1]?.flushes[0]?.answer()
  await third
  const last = commits.open(HOLD)
  await untilFlushed()
  lines[1]?.flushes[1]?.answer()
  assert.equal((await last).verdict, 'opened')
  await commits.close()
  assert.equal(lines.length, 2)
})

test('drops a server that is silent before the first flush and connects again for the next', async () => {
  const silent = (line: FakeLine): FakeLine =>
    Object.assign(line, {
      query: () => Promise.reject(new Error('The database did not answer within 20 ms.')),
    })
  const { lines, commits } = commitsOver((place) =>
    place === 0 ? silent(new FakeLine()) : new FakeLine(),
  )
  await assert.rejects(commits.open(HOLD), /did not answer/)
  assert.equal(lines[0]?.isCut, true)
  assert.equal((await commits.open(HOLD)).verdict, 'opened')
  await commits.close()
})

test('counts flushes, operations, waiting calls, and each broken connection once', async () => {
  const answers: PromiseWithResolvers<readonly Columns[]>[] = []
  class SlowLine extends FakeLine {
    override query(statement: Statement): Promise<readonly Columns[]> {
      // The first statement of each connection sets up the planner.
      if (statement.name === '') return Promise.resolve([])
      const answer = Promise.withResolvers<readonly Columns[]>()
      answers.push(answer)
      return answer.promise
    }
  }
  const turn = () => new Promise((next) => setImmediate(next))
  const { commits } = commitsOver(() => new SlowLine())
  const first = commits.open(HOLD)
  while (answers.length < 1) await turn()
  const others = [commits.open(HOLD), commits.open(HOLD)]
  while (answers.length < 2) await turn()
  const last = commits.open(HOLD)
  assert.deepEqual(commits.figures(), {
    flushes: 2,
    operations: 3,
    lostConnections: 0,
    waitingHolds: 1,
    waitingResolutions: 0,
    rejectedCalls: 0,
  })
  for (const { reject } of answers) reject(reset())
  assert.equal(
    (await Promise.allSettled([first, ...others])).filter(({ status }) => status === 'rejected')
      .length,
    3,
  )
  assert.equal(commits.figures().lostConnections, 1)
  while (answers.length < 3) await turn()
  answers[2]?.resolve(opened(1))
  await last
  assert.deepEqual(commits.figures(), {
    flushes: 3,
    operations: 4,
    lostConnections: 1,
    waitingHolds: 0,
    waitingResolutions: 0,
    rejectedCalls: 0,
  })
  await commits.close()
})
