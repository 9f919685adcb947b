import type { Dispatcher } from 'undici'
import { AppError } from '../../errors/app-error.ts'
import { Connection, type ConnectionOwner, type ConnectionTimes } from './connection.ts'
import { ExchangeInProgress } from './exchange-in-progress.ts'
import { openSocket, type Opening } from './open-socket.ts'
import type { PlainRequest } from './request-text.ts'

/** Sends requests with complete bodies. undici's dispatchers match this type. */
export type Dispatches = {
  dispatch(request: PlainRequest, handler: Dispatcher.DispatchHandler): unknown
  /** Settings for connections that do not carry HTTP requests, such as WebSockets. */
  readonly opening?: Opening
  /** Whether it calls a request's `beforeBytes`. Other dispatchers ignore it. */
  readonly callsBeforeBytes?: true
}

/**
 * HTTP/1.1 to vendors with persistent connections. docs/decisions/0072 explains why it is our own.
 */
export type PlainDispatcher = Dispatches & {
  /** Accepts no more requests, lets active ones end, and closes the connections. */
  close(): Promise<void>
  /** Ends all requests and connections immediately. */
  destroy(): Promise<void>
}

export type PlainDispatcherSettings = {
  /** Most connections to one origin; further requests wait. Default: unlimited. */
  readonly connections?: number
  /** How long an idle connection stays open. Default: 30 s. */
  readonly idleMs?: number
  readonly connectMs?: number
  readonly opening?: Opening
}

const CONNECT_MS = 10_000
const IDLE_MS = 30_000
const CHECK_INTERVAL_MS = 5_000

/**
 * Memory: connections and waiting requests are at most the calls in flight. An origin without
 * either is forgotten.
 */
export function createPlainDispatcher({
  connections = Number.POSITIVE_INFINITY,
  idleMs = IDLE_MS,
  connectMs = CONNECT_MS,
  opening = {},
}: PlainDispatcherSettings = {}): PlainDispatcher {
  const origins = new Map<string, Origin>()
  const times = { connectMs, idleMs }
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
    timer ??= setInterval(dropStale, CHECK_INTERVAL_MS).unref()
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

type OriginDeps = {
  readonly url: URL
  readonly opening: Opening
  readonly times: ConnectionTimes
  readonly most: number
  readonly isClosing: () => boolean
  readonly emptied: () => void
}

/** The connections to one origin, and the requests that wait for one. */
class Origin implements ConnectionOwner {
  readonly #deps: OriginDeps
  readonly #open = new Set<Connection>()
  /** The most recently used connection is reused first, so that the others become idle. */
  readonly #idle: Connection[] = []
  #waiting: ExchangeInProgress[] = []

  constructor(deps: OriginDeps) {
    this.#deps = deps
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
    if (this.#open.size < this.#deps.most) {
      this.#connect(exchange)
      return
    }
    // The longest-waiting requests are the first to time out.
    if (this.#waiting[0]?.isOver === true)
      this.#waiting = this.#waiting.filter(({ isOver }) => !isOver)
    this.#waiting.push(exchange)
  }

  free(connection: Connection): void {
    const next = this.#nextWaiting()
    if (next !== undefined) connection.carry(next)
    else if (this.#deps.isClosing()) connection.close()
    else this.#idle.push(connection)
  }

  closed(connection: Connection): void {
    this.#open.delete(connection)
    const place = this.#idle.indexOf(connection)
    if (place !== -1) this.#idle.splice(place, 1)
    for (let next = this.#nextWaiting(); next !== undefined; next = this.#nextWaiting())
      if (this.#connect(next)) return
    if (this.isEmpty) this.#deps.emptied()
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

  /** Returns false if the address is rejected; the exchange receives the error. */
  #connect(exchange: ExchangeInProgress): boolean {
    const { url, opening, times } = this.#deps
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
