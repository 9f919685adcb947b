/**
 * A queue that alternates between accounts: each turn serves the next account, so an account with a
 * thousand waiting calls delays another's single call by one. An account can use the capacity that
 * others leave free, but never all of it.
 */
export class FairQueue<Item> {
  readonly #most: number
  readonly #byAccount = new Map<string, Item[]>()
  #size = 0

  /** Contains fewer than `most` items. */
  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#size
  }

  /** False when the account has used its share of the queue. */
  push(account: string, item: Item): boolean {
    const items = this.#byAccount.get(account)
    if ((items?.length ?? 0) >= this.#most - this.#size - 1) return false
    if (items === undefined) this.#byAccount.set(account, [item])
    else items.push(item)
    this.#size += 1
    return true
  }

  /** The waiting items in the order of their turns. */
  accounts(): MapIterator<string> {
    return this.#byAccount.keys()
  }

  /** The next item of the account; without an account, the item whose turn it is. */
  shift(account = this.#byAccount.keys().next().value): Item | undefined {
    const items = account === undefined ? undefined : this.#byAccount.get(account)
    if (account === undefined || items === undefined) return undefined
    const item = items.shift()
    this.#byAccount.delete(account)
    if (items.length > 0) this.#byAccount.set(account, items)
    this.#size -= 1
    return item
  }

  /** How many turns precede that of a new item of the account. */
  turnsBefore(account: string): number {
    const own = this.#byAccount.get(account)?.length ?? 0
    let turns = own
    for (const [other, { length }] of this.#byAccount)
      if (other !== account) turns += Math.min(length, own + 1)
    return turns
  }

  /** Removes the items that match. */
  removeWhere(fits: (item: Item) => boolean): Item[] {
    const removed: Item[] = []
    for (const [account, items] of this.#byAccount) {
      const kept = items.filter((item) => !fits(item))
      if (kept.length === items.length) continue
      removed.push(...items.filter((item) => fits(item)))
      if (kept.length === 0) this.#byAccount.delete(account)
      else this.#byAccount.set(account, kept)
    }
    this.#size -= removed.length
    return removed
  }

  /** The largest value of `measure`, or 0. */
  largest(measure: (item: Item) => number): number {
    let most = 0
    for (const items of this.#byAccount.values())
      for (const item of items) most = Math.max(most, measure(item))
    return most
  }
}
