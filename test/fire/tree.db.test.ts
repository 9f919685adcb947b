/** Trees of keys on three gateways: limits, sums and revocations while processes are killed. `npm run fire -- tree` */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { reportFigure } from '../harness/figure.ts'
import { FOUND, openFireBed } from './bed.ts'
import { tally, type Answer } from './client.ts'
import { createJournal, type Journal } from './journal.ts'
import { startLoad, type Load } from './load.ts'
import {
  DEEPEST,
  plantTree,
  revokedMs,
  someOf,
  type KeyTree,
  type TreeKey,
} from './tree/key-tree.ts'
import { readTreeBooks } from './tree/tree-books.ts'

const bed = await openFireBed()
const LIMITS = { RATE_LIMIT_PER_MINUTE: '1000000' }
const FIRST_KEYS = 40
const CALLERS = 12
/** Answers before each kill, and after the last restart. */
const ANSWERS_BETWEEN = Number(process.env['TREE_ANSWERS'] ?? 500)
const LEAST_OPEN_KEYS = 30
const MOST_OPEN_KEYS = 80
/** A gateway learns about a revocation within this time. Until then it may repeat a stored answer. */
const SEEN_MS = 1_000

type Gateways = (Awaited<ReturnType<typeof bed.start>> | null)[]

test('a tree of keys stays exact on three gateways while two are killed and keys come and go', async (context) => {
  let asked = 0
  bed.vendor.answerWith(() => {
    asked += 1
    return asked % 5 === 0 ? { status: 500, body: { error: 'out of order' } } : { body: FOUND }
  })
  const gateways: Gateways = await Promise.all([0, 1, 2].map(() => bed.start(LIMITS)))
  const urls = (): string[] => gateways.flatMap((one) => one?.url ?? [])
  const account = await bed.account('1000000')
  const tree = await plantTree(urls, account, { ceiling_cents: 5_000, ceiling_period: 'day' })
  await growTree(tree)
  const quietMint = tree.mintMs.splice(0)

  const calls = createCalls(tree)
  const load = startLoad({
    urls,
    key: calls.keyOf,
    journal: calls.journal,
    callers: CALLERS,
    isFinal: ({ status }) => [200, 401, 402].includes(status),
  })
  const done = new AbortController()
  const changes = changeTree(tree, done.signal)
  await killTwo(gateways, load)
  done.abort()
  await changes
  await load.stop()
  await bed.passDeadlines()
  await bed.nothingHeld()
  await load.finish(someOf(urls()))

  const books = await readTreeBooks(bed.database)
  report(context, { quietMint, tree, overshoot: books.overshoot })
  context.diagnostic(
    `${JSON.stringify(tally(calls.journal.answers))}; ${tree.keys.length} keys, ${books.atLimit} at their limit, ${tree.revokeMs.length} subtrees revoked`,
  )
  assert.deepEqual(
    {
      overshoot: books.overshoot,
      sums: books.broken,
      calls: calls.journal.compare(bed.vendor, await bed.charges()),
      acceptedAfterRevocation: [...calls.late(), ...tree.acceptedLate],
    },
    { overshoot: 0n, sums: [], calls: [], acceptedAfterRevocation: [] },
  )
  assert.ok(
    Math.max(...tree.seenMs) <= SEEN_MS,
    `accepted a revoked key after ${Math.max(...tree.seenMs)} ms`,
  )
  assert.ok(books.atLimit >= 10 && tree.revokeMs.length >= 10, 'limits and revocations took part')
  await bed.assertSound()
  for (const gateway of gateways) await gateway?.end('SIGTERM')
})

/** Random keys, with one path to the deepest level. */
async function growTree(tree: KeyTree): Promise<void> {
  let [deepest] = tree.keys
  while (deepest !== undefined && deepest.depth < DEEPEST)
    deepest = (await tree.mint(deepest, anyLimit())) ?? deepest
  while (tree.keys.length < FIRST_KEYS) await mintSomewhere(tree)
}

const mintSomewhere = (tree: KeyTree): Promise<TreeKey | null> =>
  tree.mint(someOf(tree.open().filter(({ depth }) => depth < DEEPEST)), anyLimit())

function anyLimit(): Readonly<Record<string, unknown>> {
  if (randomInt(4) === 0) return {}
  return {
    ceiling_cents: randomInt(2, 60),
    ...(randomInt(2) === 0 ? { ceiling_period: 'day' } : {}),
  }
}

/** Mints and revokes until the signal; never the topmost key. */
async function changeTree(tree: KeyTree, signal: AbortSignal): Promise<void> {
  async function client(): Promise<void> {
    while (!signal.aborted) {
      const keys = tree.open().filter(({ depth }) => depth > 0)
      const isFull = keys.length > MOST_OPEN_KEYS
      if (isFull || (keys.length > LEAST_OPEN_KEYS && randomInt(3) === 0))
        await tree.revoke(someOf(keys))
      else await mintSomewhere(tree)
    }
  }
  await Promise.all([client(), client()])
}

/** Kills two gateways, one after the other under load, and starts each again. */
async function killTwo(gateways: Gateways, load: Load): Promise<void> {
  for (const place of [0, 1]) {
    await load.answered(ANSWERS_BETWEEN)
    const victim = gateways[place]
    gateways[place] = null
    await victim?.end('SIGKILL')
    gateways[place] = await bed.start(LIMITS)
    load.news()
  }
  await load.answered(ANSWERS_BETWEEN)
}

type Calls = {
  readonly journal: Journal
  readonly keyOf: (query: string) => string
  /** Calls sent after the answer of a revocation and charged, or repeated more than a second later. */
  late(): readonly string[]
}

/** Calls on all keys of a tree, mostly open ones. A repeated call has the key of the first attempt. */
function createCalls(tree: KeyTree): Calls {
  const journal = createJournal()
  const sent = new Map<string, { readonly by: TreeKey; sentMs: number }>()
  const accepted: { readonly by: TreeKey; readonly sentMs: number; readonly answer: Answer }[] = []
  return {
    journal: {
      ...journal,
      note(query, answer) {
        const call = sent.get(query)
        if (call !== undefined && answer.status === 200) accepted.push({ ...call, answer })
        journal.note(query, answer)
      },
    },
    keyOf(query) {
      const call = sent.get(query) ?? {
        by: someOf(randomInt(10) === 0 ? tree.keys : tree.open()),
        sentMs: 0,
      }
      call.sentMs = performance.now()
      sent.set(query, call)
      return call.by.key
    },
    late: () =>
      accepted.flatMap(({ by, sentMs, answer }) => {
        const endMs = revokedMs(by)
        const isLate = endMs !== null && sentMs > endMs + (answer.replayed ? SEEN_MS : 0)
        return isLate ? [`${answer.callId}, ${sentMs - endMs} ms late`] : []
      }),
  }
}

type Measured = {
  readonly quietMint: readonly number[]
  readonly tree: KeyTree
  readonly overshoot: bigint
}

function report(context: TestContext, { quietMint, tree, overshoot }: Measured): void {
  const figures = [
    ['minting a child key, one at a time', quietMint, 10, 'p50 < 10 ms'],
    ['minting a child key under load with kills', tree.mintMs, Infinity, 'none'],
    ['revoking a subtree under load with kills', tree.revokeMs, Infinity, 'none'],
  ] as const
  for (const [what, ms, mustMs, must] of figures)
    reportFigure(context, {
      what: `${what}: p50, p95`,
      measured: `${quantile(ms, 0.5).toFixed(1)} ms, ${quantile(ms, 0.95).toFixed(1)} ms`,
      must,
      isMet: quantile(ms, 0.5) < mustMs,
    })
  reportFigure(context, {
    what: 'latest request with a key of a revoked subtree that one of three gateways accepted, after the answer of the revocation',
    measured: `${Math.max(...tree.seenMs).toFixed(0)} ms`,
    must: `${SEEN_MS} ms`,
    isMet: Math.max(...tree.seenMs) <= SEEN_MS,
  })
  reportFigure(context, {
    what: 'overshoot of the limits of a tree of keys',
    measured: `${overshoot} µ$`,
    must: '0 µ$',
    isMet: overshoot === 0n,
  })
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0
}
