import type { Dispatcher } from 'undici'
import { AppError } from '../../errors/app-error.ts'
import { Connection, type ConnectionOwner, type ConnectionTimes } from './connection.ts'
import { ExchangeInProgress } from './exchange-in-progress.ts'
import { openSocket, type Opening } from './open-socket.ts'
import type { PlainRequest } from './request-text.ts'

/** Sends requests whose bodies are known whole. undici's dispatchers are such. */
export type Dispatches = {
  dispatch(request: PlainRequest, handler: Dispatcher.DispatchHandler): unknown
  /** What stands before its connections, for those who open one that carries no requests. */
  readonly opening?: Opening
  /** Whether it calls a request's `beforeBytes`. Others ignore it. */
  readonly callsBeforeBytes?: true
}

/** For vendors: HTTP/1.1 with kept connections. docs/decisions/0072 says why it is our own. */
export type PlainDispatcher = Dispatches & {
  /** Takes no more requests, lets those under way end, closes the connections. */
  close(): Promise<void>
  /** Ends everything at once. */
  destroy(): Promise<void>
}

export type PlainDispatcherSettings = {
  /** Connections to one origin; further requests wait for one. As many as there are requests, when left out. */
  readonly connections?: number
  /** How long an idle connection is kept; 30 s when left out. */
  readonly keptAliveMs?: number
  readonly connectMs?: number
  readonly opening?: Opening
}

const CONNECT_MS = 10_000
const KEPT_ALIVE_MS = 30_000
const LOOK_EVERY_MS = 5_000

/** Memory: connections and waiting requests are never more than calls in flight; an origin without either is forgotten. */
export function createPlainDispatcher({
  connections = Number.POSITIVE_INFINITY,
  keptAliveMs = KEPT_ALIVE_MS,
  connectMs = CONNECT_MS,
  opening = {},
}: PlainDispatcherSettings = {}): PlainDispatcher {
  const origins = new Map<string, Origin>()
  const times = { connectMs, keptAliveMs }
  const ended = Promise.withResolvers<void>()
  let isClosing = false
  let timer: NodeJS.Timeout | undefined

  function originOf(address: string): Origin {
    const known = origins.get(address)
    if (known !== undefined) return known
    const origin = new Origin({
      url: new URL(address),
      opening,
      times,
      most: connections,
      isClosing: () => isClosing,
      emptied,
    })
    origins.set(address, origin)
    timer ??= setInterval(dropStale, LOOK_EVERY_MS).unref()
    return origin
  }

  function emptied(): void {
    if (isClosing && [...origins.values()].every(({ isEmpty }) => isEmpty)) ended.resolve()
  }

  function dropStale(): void {
    for (const [address, origin] of origins) {
      origin.dropIdle(performance.now())
      if (origin.isEmpty) origins.delete(address)
    }
  }

  function end(): Promise<void> {
    isClosing = true
    clearInterval(timer)
    for (const origin of origins.values()) origin.dropIdle(Number.POSITIVE_INFINITY)
    emptied()
    return ended.promise
  }

  return {
    opening,
    callsBeforeBytes: true,
    dispatch(request, handler) {
      const exchange = new ExchangeInProgress(request, handler)
      handler.onRequestStart?.(exchange, undefined)
      if (exchange.isOver) return
      if (isClosing)
        exchange.fail(
          new AppError('upstream_error', 'The gateway is stopping. Nothing was charged.'),
        )
      else originOf(request.origin).take(exchange)
    },
    close: end,
    destroy() {
      const closed = end()
      for (const origin of origins.values()) origin.destroy()
      return closed
    },
  }
}

type OriginParts = {
  readonly url: URL
  readonly opening: Opening
  readonly times: ConnectionTimes
  readonly most: number
  readonly isClosing: () => boolean
  readonly emptied: () => void
}

/** The connections to one origin, and the requests that wait for one. */
class Origin implements ConnectionOwner {
  readonly #parts: OriginParts
  readonly #open = new Set<Connection>()
  /** The one used last is used first, so that the others grow old together. */
  readonly #idle: Connection[] = []
  #waiting: ExchangeInProgress[] = []

  constructor(parts: OriginParts) {
    this.#parts = parts
  }

  get isEmpty(): boolean {
    return this.#open.size === 0 && this.#waiting.length === 0
  }

  take(exchange: ExchangeInProgress): void {
    for (
      let connection = this.#idle.pop();
      connection !== undefined;
      connection = this.#idle.pop()
    ) {
      if (connection.isUsable) {
        connection.carry(exchange)
        return
      }
      connection.close()
    }
    if (this.#open.size < this.#parts.most) {
      this.#connect(exchange)
      return
    }
    // Those who waited longest are the first to give up.
    if (this.#waiting[0]?.isOver === true)
      this.#waiting = this.#waiting.filter(({ isOver }) => !isOver)
    this.#waiting.push(exchange)
  }

  free(connection: Connection): void {
    const next = this.#nextWaiting()
    if (next !== undefined) connection.carry(next)
    else if (this.#parts.isClosing()) connection.close()
    else this.#idle.push(connection)
  }

  closed(connection: Connection): void {
    this.#open.delete(connection)
    const place = this.#idle.indexOf(connection)
    if (place !== -1) this.#idle.splice(place, 1)
    for (let next = this.#nextWaiting(); next !== undefined; next = this.#nextWaiting())
      if (this.#connect(next)) return
    if (this.isEmpty) this.#parts.emptied()
  }

  dropIdle(staleByMs: number): void {
    for (const connection of this.#idle.filter(({ staleAtMs }) => staleAtMs <= staleByMs))
      connection.close()
  }

  destroy(): void {
    const reason = new AppError('upstream_error', 'The gateway is stopping. Nothing was charged.')
    for (const exchange of this.#waiting.splice(0)) exchange.fail(reason)
    for (const connection of this.#open) connection.drop(reason)
  }

  /** False when the address is refused; the exchange is told so. */
  #connect(exchange: ExchangeInProgress): boolean {
    const { url, opening, times } = this.#parts
    let connection: Connection | undefined
    try {
      connection = new Connection(
        (read) => openSocket(url, { ...opening, read, connected: () => connection?.connected() }),
        url.host,
        times,
        this,
      )
    } catch (error) {
      exchange.fail(error as Error)
      return false
    }
    this.#open.add(connection)
    connection.carry(exchange)
    return true
  }

  #nextWaiting(): ExchangeInProgress | undefined {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      if (!next.isOver) return next
    return undefined
  }
}
