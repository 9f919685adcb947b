/** Trees of budgets: random operations against a model, and races of two ledgers. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { AppError } from '../../src/errors/app-error.ts'
import type { Hold } from '../../src/ledger/hold.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { Period } from '../../src/ledger/windows.ts'
import type { Id } from '../../src/lib/ids.ts'
import { DAY_MS, openBank, START_MS } from '../harness/beds/ledger.ts'
import { fc } from '../harness/property.ts'

const bank = await openBank()
const { clock, database } = bank
const ledgers = [bank.ledger, bank.anotherLedger()] as const
beforeEach(() => clock.set(START_MS))

type Node = { readonly id: Id; readonly ancestors: readonly Id[] }

async function openNode(
  parent: Node | null,
  ceiling: bigint | null,
  period: Period,
): Promise<Node> {
  const ancestors = parent === null ? [] : [...parent.ancestors, parent.id]
  return { id: await bank.openBudget({ ceiling, period, ancestors }), ancestors }
}

const facts = ({ id, ancestors }: Node, named = true) => ({
  budgetId: id,
  ...(named ? { ancestorIds: ancestors } : {}),
})

async function tryHold(
  ledger: Ledger,
  walletId: number,
  amount: bigint,
  on: ReturnType<typeof facts>,
): Promise<Hold | string> {
  try {
    const hold = await ledger.hold(bank.request(walletId, amount, on))
    return hold.opened ? hold : 'repeated'
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    return error.code
  }
}

const PERIODS = ['day', 'week', 'month', 'total'] as const
const anyTree = fc.array(
  fc.record({
    parent: fc.nat({ max: 5 }),
    ceiling: fc.option(fc.bigInt({ min: 0n, max: 60n })),
    period: fc.constantFrom(...PERIODS),
  }),
  { minLength: 2, maxLength: 7 },
)
const anyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      node: fc.nat({ max: 6 }),
      amount: fc.bigInt({ min: 1n, max: 25n }),
      named: fc.boolean(),
      ledger: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      hold: fc.nat({ max: 30 }),
      share: fc.option(fc.nat({ max: 100 })),
      ledger: fc.nat({ max: 1 }),
    }),
  },
  fc.record({ do: fc.constant('wait' as const), days: fc.nat({ max: 12 }) }),
  fc.record({
    do: fc.constant('state' as const),
    node: fc.nat({ max: 6 }),
    state: fc.constantFrom('open' as const, 'paused' as const),
  }),
)

/** The model: every call with the days on which it was held, and the nodes in which it counts. */
type ModelCall = { readonly node: Node; readonly ms: number; amount: bigint; isOpen: boolean }

class Model {
  readonly calls: ModelCall[] = []
  readonly paused = new Set<Id>()
  readonly limits = new Map<Id, { readonly ceiling: bigint | null; readonly period: Period }>()

  used(id: Id, period: Period, nowMs: number, withHeld = true): bigint {
    const from = startOf(period, nowMs)
    return this.calls
      .filter(({ isOpen }) => withHeld || !isOpen)
      .filter(({ node, ms }) => ms >= from && (node.id === id || node.ancestors.includes(id)))
      .reduce((sum, { amount }) => sum + amount, 0n)
  }

  judge(node: Node, amount: bigint, nowMs: number): string {
    const path = [...node.ancestors, node.id]
    if (path.some((id) => this.paused.has(id))) return 'api_key_paused'
    const isShort = (withHeld: boolean): boolean =>
      path.some((id) => {
        const { ceiling = null, period = 'day' } = this.limits.get(id) ?? {}
        return ceiling !== null && this.used(id, period, nowMs, withHeld) + amount > ceiling
      })
    if (isShort(false)) return 'api_key_limit_exceeded'
    return isShort(true) ? 'room_held' : 'opened'
  }
}

function startOf(period: Period, nowMs: number): number {
  const date = new Date(nowMs)
  const day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  if (period === 'day') return day
  if (period === 'week') return day - ((date.getUTCDay() + 6) % 7) * DAY_MS
  return period === 'month' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) : 0
}

describe('a tree of budgets', () => {
  test('decides random calls like a model, in every window and with and without named paths', async () => {
    await fc.assert(
      fc.asyncProperty(anyTree, fc.array(anyStep, { maxLength: 40 }), async (tree, steps) => {
        const wallet = await bank.openWallet(100_000n)
        const model = new Model()
        const nodes: Node[] = []
        for (const { parent, ceiling, period } of tree) {
          const above = nodes[parent % Math.max(1, nodes.length)] ?? null
          const isDeepest = above !== null && above.ancestors.length >= 3
          const node = await openNode(isDeepest ? null : above, ceiling, period)
          model.limits.set(node.id, { ceiling, period })
          nodes.push(node)
        }
        const open: { hold: Hold; call: ModelCall }[] = []
        for (const step of steps) {
          const nowMs = clock()
          if (step.do === 'wait') clock.advance(step.days * (DAY_MS / 4))
          else if (step.do === 'state') {
            const { id } = nodes[step.node % nodes.length] as Node
            await database.query('update budgets set state = $2 where id = $1', [id, step.state])
            if (step.state === 'paused') model.paused.add(id)
            else model.paused.delete(id)
          } else if (step.do === 'hold') {
            const node = nodes[step.node % nodes.length] as Node
            const expected = model.judge(node, step.amount, nowMs)
            const ledger = ledgers[step.ledger] as Ledger
            const result = await tryHold(ledger, wallet, step.amount, facts(node, step.named))
            assert.equal(typeof result === 'string' ? result : 'opened', expected)
            if (typeof result === 'string') continue
            const call = { node, ms: nowMs, amount: step.amount, isOpen: true }
            model.calls.push(call)
            open.push({ hold: result, call })
          } else {
            const [ended] = open.splice(step.hold % Math.max(1, open.length), 1)
            if (ended === undefined) continue
            const { hold, call } = ended
            const charge = step.share === null ? 0n : (hold.amount * BigInt(step.share)) / 100n
            await (ledgers[step.ledger] as Ledger).resolve({
              hold,
              charge,
              latencyMs: 1,
              errorCode: step.share === null ? 'upstream_error' : null,
              hops: null,
            })
            call.amount = charge
            call.isOpen = false
          }
        }
        for (const { id } of nodes) {
          const { spent, held } = await bank.lifetime(id)
          assert.equal(spent + held, model.used(id, 'total', clock()), 'the lifetime of a node')
        }
        // The holds of this run must not be swept in later ones.
        await Promise.all(open.map(({ hold }) => bank.release(hold)))
      }),
      { numRuns: 60 },
    )
    await bank.assertSound()
  })

  test('never exceeds any limit in races of two ledgers, and parents count their children exactly', async () => {
    const wallet = await bank.openWallet(1_000_000n)
    const root = await openNode(null, 5_000n, 'day')
    const middle = [await openNode(root, 3_000n, 'total'), await openNode(root, 3_000n, 'week')]
    const leaves = await Promise.all(
      Array.from({ length: 6 }, (_, place) => openNode(middle[place % 2] as Node, 1_500n, 'total')),
    )
    const all = [root, ...middle, ...leaves]
    const attempts = Array.from({ length: 600 }, (_, place) => ({
      node: all[(place * 7) % all.length] as Node,
      ledger: ledgers[place % 2] as Ledger,
      amount: BigInt(1 + (place % 40)),
      named: place % 3 > 0,
    }))
    const charged = new Map<Id, bigint>()
    await Promise.all(
      attempts.map(async ({ node, ledger, amount, named }, place) => {
        const hold = await tryHold(ledger, wallet, amount, facts(node, named))
        if (typeof hold === 'string') return
        const charge =
          place % 4 === 0 ? 0n : amount - BigInt(place % 3 === 0 && amount > 1n ? 1 : 0)
        await ledger.resolve({ hold, charge, latencyMs: 1, errorCode: null, hops: null })
        charged.set(node.id, (charged.get(node.id) ?? 0n) + charge)
      }),
    )
    for (const { id } of all) {
      const { spent, held } = await bank.lifetime(id)
      const below = all.filter((node) => node.id === id || node.ancestors.includes(id))
      const expected = below.reduce((sum, node) => sum + (charged.get(node.id) ?? 0n), 0n)
      assert.deepEqual([spent, held], [expected, 0n])
      assert.ok(spent <= (id === root.id ? 5_000n : 3_000n))
    }
    await bank.assertSound()
  })

  test('counts a call of a process whose clock is behind in the day of the topmost budget', async () => {
    const wallet = await bank.openWallet(1_000n)
    const root = await openNode(null, 10n, 'day')
    const [early, late] = [await openNode(root, null, 'day'), await openNode(root, null, 'day')]
    clock.set(START_MS + 20 * DAY_MS)
    await bank.settle(await bank.hold(wallet, 4n, facts(late)), 4n)
    clock.set(START_MS)
    const hold = await bank.hold(wallet, 6n, facts(early))
    assert.equal(
      await tryHold(bank.ledger, wallet, 1n, facts(early)),
      'room_held',
      'the spending of the newer day counts',
    )
    clock.set(START_MS + 20 * DAY_MS)
    await bank.settle(hold, 6n)
    assert.equal((await bank.windows(root.id)).day_spent, 10n)
    await bank.assertSound()
  })

  test('lets a closed, paused or expired budget bind all below it from its commit on', async () => {
    const wallet = await bank.openWallet(1_000n)
    const root = await openNode(null, null, 'day')
    const leaf = await openNode(await openNode(root, null, 'day'), null, 'day')
    const hold = await bank.hold(wallet, 5n, facts(leaf))
    for (const [change, code] of [
      ["state = 'paused'", 'api_key_paused'],
      [`state = 'open', expires_ms = ${clock()}`, 'key_expired'],
      ["state = 'closed', expires_ms = null", 'invalid_token'],
    ] as const) {
      await database.query(`update budgets set ${change} where id = $1`, [root.id])
      assert.equal(await tryHold(bank.ledger, wallet, 1n, facts(leaf)), code)
      assert.equal(await tryHold(bank.ledger, wallet, 1n, facts(leaf, false)), code)
    }
    await bank.settle(hold, 5n)
    assert.equal((await bank.lifetime(root.id)).spent, 5n, 'a held call is still charged')
    await bank.assertSound()
  })

  test('enlarges a hold at most to the tightest limit of its path', async () => {
    const wallet = await bank.openWallet(1_000n)
    const root = await openNode(null, 12n, 'total')
    const leaf = await openNode(root, 100n, 'day')
    const hold = await bank.hold(wallet, 5n, facts(leaf))
    assert.equal((await bank.ledger.enlarge(hold, 50n)).amount, 12n)
    assert.equal((await bank.lifetime(root.id)).held, 12n)
    await bank.assertSound()
  })
})
