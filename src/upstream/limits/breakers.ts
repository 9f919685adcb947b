import { Breaker } from './breaker.ts'

/** Bounds memory. A dropped breaker counts as closed. */
const MAX_BREAKERS = 1_000

/** Circuit breakers by what can fail separately: a host of a vendor, a model of an upstream. */
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
    for (const oldest of this.#byName.size > MAX_BREAKERS ? this.#byName.keys().take(1) : [])
      this.#byName.delete(oldest)
    return breaker
  }
}
