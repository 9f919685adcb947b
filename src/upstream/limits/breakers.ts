import { Breaker } from './breaker.ts'

/** Bounds memory; one that is forgotten is closed. */
const MOST_KEPT = 1_000

/** Breakers by what may fail by itself: a host of a vendor, a model of an upstream. */
export class Breakers {
  readonly #byName = new Map<string, Breaker>()

  get openCount(): number {
    return [...this.#byName.values()].filter(({ isOpen }) => isOpen).length
  }

  of(name: string): Breaker {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const breaker = new Breaker()
    this.#byName.set(name, breaker)
    for (const oldest of this.#byName.size > MOST_KEPT ? this.#byName.keys().take(1) : [])
      this.#byName.delete(oldest)
    return breaker
  }
}
