/**
 * The rules of the ledger written down a second time, as plainly as can be: one operation after the other, in memory,
 * lots used up immediately, windows summed from the facts. The property tests compare the real ledger with it.
 */
import type { Period } from '../../src/ledger/windows.ts'

type Lot = {
  readonly order: number
  readonly isGrant: boolean
  readonly expiresAtMs: number | null
  left: bigint
  expired: boolean
}
type Wallet = { balance: bigint; held: bigint; lots: Lot[] }
type Budget = {
  ceiling: bigint | null
  period: Period
  state: 'open' | 'paused' | 'closed'
  facts: Fact[]
}
/** A call's share of a budget: its hold while it is open, its charge afterwards. */
type Fact = { readonly openedMs: number; amount: bigint; isOpen: boolean }
type Call = {
  readonly wallet: Wallet
  readonly amount: bigint
  readonly deadlineMs: number
  readonly fact: Fact
  readonly key: string | null
  outcome: Outcome | null
}
type Claim = { readonly call: Call; readonly expiresMs: number; answered: boolean }

export type Outcome = { readonly charged: bigint; readonly expired: boolean }
export type HoldOutcome =
  | 'opened'
  | 'repeated'
  | 'credits_required'
  | 'api_key_limit_exceeded'
  | 'room_held'
  | 'api_key_paused'
  | 'invalid_token'
export type WalletFacts = { readonly balance: bigint; readonly held: bigint }

export class Model {
  readonly wallets: Wallet[] = []
  readonly budgets: Budget[] = []
  readonly calls = new Map<string, Call>()
  readonly #claims = new Map<string, Claim>()
  #posted = 0

  openWallet(): void {
    this.wallets.push({ balance: 0n, held: 0n, lots: [] })
  }

  openBudget(ceiling: bigint | null, period: Period): void {
    this.budgets.push({ ceiling, period, state: 'open', facts: [] })
  }

  /** Returns the balance, or null if an adjustment exceeds the available credit. */
  credit(
    walletIndex: number,
    amount: bigint,
    nowMs: number,
    isGrant: boolean,
    expiresAtMs: number | null,
  ): bigint | null {
    const wallet = this.wallet(walletIndex)
    if (amount < 0n) {
      // A refused adjustment is undone whole, the expiry that it noticed included.
      const before = structuredClone(wallet)
      expire(wallet, nowMs)
      if (wallet.balance - wallet.held < -amount) {
        Object.assign(wallet, before)
        return null
      }
      // An adjustment stands for money that was paid back, so it never takes from a grant.
      use(wallet, -amount, 'bought first')
      return wallet.balance
    }
    expire(wallet, nowMs)
    this.#posted += 1
    wallet.lots.push({ order: this.#posted, isGrant, expiresAtMs, left: amount, expired: false })
    wallet.balance += amount
    return wallet.balance
  }

  hold(
    id: string,
    walletIndex: number,
    budgetIndex: number | null,
    amount: bigint,
    deadlineMs: number,
    key: { name: string; expiresMs: number } | null,
    nowMs: number,
  ): HoldOutcome {
    const wallet = this.wallet(walletIndex)
    expire(wallet, nowMs)
    const taken = key === null ? undefined : this.#claims.get(key.name)
    if (taken !== undefined && taken.expiresMs > nowMs) return 'repeated'
    if (key !== null) this.#claims.delete(key.name)
    const budget = budgetIndex === null ? null : (this.budgets[budgetIndex] as Budget)
    if (budget?.state === 'closed') return 'invalid_token'
    if (budget?.state === 'paused') return 'api_key_paused'
    const most = budget?.ceiling ?? null
    if (budget !== null && most !== null && spentBy(budget, nowMs) + amount > most)
      return 'api_key_limit_exceeded'
    if (wallet.balance < amount) return 'credits_required'
    if (budget !== null && most !== null && usedOf(budget, nowMs) + amount > most)
      return 'room_held'
    if (wallet.balance - wallet.held < amount) return 'room_held'
    const fact = { openedMs: nowMs, amount, isOpen: true }
    const call: Call = { wallet, amount, deadlineMs, fact, key: key?.name ?? null, outcome: null }
    wallet.held += amount
    budget?.facts.push(fact)
    this.calls.set(id, call)
    if (key !== null)
      this.#claims.set(key.name, { call, expiresMs: key.expiresMs, answered: false })
    return 'opened'
  }

  /** A charge of null is a failed call. A repeat returns the first outcome. */
  resolve(id: string, charge: bigint | null, nowMs: number, expired = false): Outcome {
    const call = this.calls.get(id) as Call
    expire(call.wallet, nowMs)
    if (call.outcome !== null) return call.outcome
    call.wallet.held -= call.amount
    call.fact.amount = charge ?? 0n
    call.fact.isOpen = false
    use(call.wallet, charge ?? 0n)
    const claim = call.key === null ? undefined : this.#claims.get(call.key)
    if (call.key !== null && claim?.call === call && charge === null) this.#claims.delete(call.key)
    call.outcome = { charged: charge ?? 0n, expired }
    return call.outcome
  }

  sweep(nowMs: number): number {
    const due = [...this.calls].filter(
      ([, call]) => call.outcome === null && call.deadlineMs < nowMs,
    )
    // The sweep is one flush: it applies the time to all its wallets before it releases a hold.
    for (const [, call] of due) expire(call.wallet, nowMs)
    for (const [id] of due) this.resolve(id, null, nowMs, true)
    return due.length
  }

  wallet(index: number): Wallet {
    return this.wallets[index] as Wallet
  }

  factsOf(index: number): WalletFacts {
    const { balance, held } = this.wallet(index)
    return { balance, held }
  }
}

function inOrderOfUse(lots: Lot[]): Lot[] {
  const rank = (lot: Lot): number[] => [
    lot.isGrant ? 0 : 1,
    lot.expiresAtMs ?? Number.MAX_SAFE_INTEGER,
    lot.order,
  ]
  return lots
    .filter(({ left }) => left > 0n)
    .toSorted(
      (a, b) =>
        rank(a)
          .map((value, place) => value - (rank(b)[place] ?? 0))
          .find((difference) => difference !== 0) ?? 0,
    )
}

function use(
  wallet: Wallet,
  amount: bigint,
  order: 'grants first' | 'bought first' = 'grants first',
): void {
  wallet.balance -= amount
  let rest = amount
  const lots = inOrderOfUse(wallet.lots)
  for (const lot of order === 'grants first'
    ? lots
    : lots.toSorted((a, b) => Number(a.isGrant) - Number(b.isGrant))) {
    const part = lot.left < rest ? lot.left : rest
    lot.left -= part
    rest -= part
  }
}

function expire(wallet: Wallet, nowMs: number): void {
  let held = wallet.held
  for (const lot of inOrderOfUse(wallet.lots)) {
    const kept = lot.left < held ? lot.left : held
    held -= kept
    if (lot.expired || lot.expiresAtMs === null || lot.expiresAtMs > nowMs) continue
    wallet.balance -= lot.left - kept
    lot.left = kept
    lot.expired = true
  }
}

function usedOf(budget: Budget, nowMs: number): bigint {
  const startMs = startOf(budget.period, new Date(nowMs))
  return budget.facts
    .filter(({ openedMs }) => openedMs >= startMs)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

function spentBy({ facts, ...budget }: Budget, nowMs: number): bigint {
  return usedOf({ ...budget, facts: facts.filter(({ isOpen }) => !isOpen) }, nowMs)
}

function startOf(period: Period, now: Date): number {
  const start = new Date(now)
  start.setUTCHours(0, 0, 0, 0)
  if (period === 'week') while (start.getUTCDay() !== 1) start.setUTCDate(start.getUTCDate() - 1)
  if (period === 'month') start.setUTCDate(1)
  return start.getTime()
}
