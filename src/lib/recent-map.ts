/**
 * A map of at most `most` entries that drops the least recently used ones. Its memory grows with its
 * entries, unlike a cache that reserves its largest size. Entries are in two halves: when the recent
 * half is full, it becomes the older one, and the former older half is dropped. So at least the
 * `most / 2` entries used last are stored.
 */
export class RecentMap<Key, Value> {
  readonly #half: number
  #recent = new Map<Key, Value>()
  #older = new Map<Key, Value>()

  constructor(most: number) {
    this.#half = Math.max(1, Math.floor(most / 2))
  }

  /** Returns the value and counts as a use. */
  get(key: Key): Value | undefined {
    const value = this.#recent.get(key)
    if (value !== undefined || this.#older.size === 0) return value
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: Key, value: Value): void {
    if (this.#older.size > 0) this.#older.delete(key)
    this.#recent.set(key, value)
    if (this.#recent.size < this.#half) return
    this.#older = this.#recent
    this.#recent = new Map()
  }

  delete(key: Key): void {
    this.#recent.delete(key)
    this.#older.delete(key)
  }

  clear(): void {
    this.#recent = new Map()
    this.#older = new Map()
  }

  /** Every entry once; entries may be deleted meanwhile. */
  *entries(): Generator<[Key, Value]> {
    yield* this.#older.entries()
    yield* this.#recent.entries()
  }
}
