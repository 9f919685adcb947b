/** Bytes for the callers of silent streams, so that proxies do not close their connections. */
import type { Clock } from '../../lib/clock.ts'
import type { Micros } from '../../lib/money.ts'
import type { CallerLine } from '../ask/caller-line.ts'

const TICK_MS = 1_000
// With a tick, a comment at least every 15 s. Proxies wait for 30 s or longer.
const QUIET_MS = 14_000
/** Until a stream starts without an event. Failures before have a status, by which clients retry. */
const START_MS = 5_000
const START_WITH_FALLBACK_MS = 15_000
const COMMENT = Buffer.from(': waiting\n\n')

/** The streams of a process. One timer serves all of them. */
export class KeepAlive {
  readonly #now: Clock
  readonly #lines = new Set<KeptLine>()
  #timer: NodeJS.Timeout | undefined

  constructor(now: Clock) {
    this.#now = now
  }

  /** Follows a stream until its end or `stop`. `ping`: for silence after the first event. */
  follow(line: CallerLine, ping: string | null): KeptLine {
    const kept = new KeptLine(line, ping === null ? COMMENT : Buffer.from(ping), {
      nowMs: this.#now(),
      over: () => this.#lines.delete(kept),
    })
    this.#lines.add(kept)
    this.#timer ??= setInterval(() => this.tick(), TICK_MS).unref()
    return kept
  }

  /** Writes to every stream that was silent for too long. */
  tick(): void {
    const nowMs = this.#now()
    for (const line of this.#lines) line.tick(nowMs)
    if (this.#lines.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** A caller's connection, which receives bytes while the upstream sends none. */
export class KeptLine implements CallerLine {
  hasStarted = false
  hasEnded = false
  readonly #line: CallerLine
  readonly #ping: Buffer
  readonly #over: () => void
  readonly #openedMs: number
  #silentSinceMs: number
  #hasWritten = false
  #hasEvents = false
  #isFull = false
  /** The model that is tried last; null while others can follow. */
  #lastModel: string | null = null

  constructor(
    line: CallerLine,
    ping: Buffer,
    { nowMs, over }: { readonly nowMs: number; readonly over: () => void },
  ) {
    this.#line = line
    this.#ping = ping
    this.#over = over
    this.#openedMs = nowMs
    this.#silentSinceMs = nowMs
  }

  get isDisconnected(): boolean {
    return this.#line.isDisconnected
  }

  onDisconnect(listener: () => void): void {
    this.#line.onDisconnect(listener)
  }

  /** A model is tried. `isLast`: no other one can follow. */
  tries(model: string, isLast: boolean): void {
    if (isLast) this.#lastModel = model
  }

  /** The upstream sent a comment before its first event. */
  heard(): void {
    if (this.#lastModel !== null && !this.hasStarted) this.#beat()
  }

  start({ model }: { readonly model: string | null }): void {
    if (this.hasStarted) return
    this.hasStarted = true
    this.#line.start({ model })
  }

  write(bytes: Buffer): boolean {
    this.#hasWritten = true
    this.#hasEvents = true
    const isTaken = this.#line.write(bytes)
    this.#isFull = !isTaken
    return isTaken
  }

  onDrain(listener: () => void): void {
    this.#line.onDrain(() => {
      this.#isFull = false
      listener()
    })
  }

  end(bytes: Buffer, charged: Micros): void {
    this.hasEnded = true
    this.stop()
    this.#line.end(bytes, charged)
  }

  stop(): void {
    this.#over()
  }

  tick(nowMs: number): void {
    if (this.hasStarted) {
      if (this.#hasWritten) {
        this.#hasWritten = false
        this.#silentSinceMs = nowMs
      } else if (nowMs - this.#silentSinceMs >= QUIET_MS) {
        this.#silentSinceMs = nowMs
        this.#beat()
      }
      return
    }
    const startMs = this.#lastModel === null ? START_WITH_FALLBACK_MS : START_MS
    if (nowMs - this.#openedMs >= startMs) this.#beat()
  }

  #beat(): void {
    if (this.isDisconnected || this.#isFull) return
    this.start({ model: this.#lastModel })
    this.#hasWritten = true
    this.#line.write(this.#hasEvents ? this.#ping : COMMENT)
  }
}
