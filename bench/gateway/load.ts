/**
 * A load generator with minimal cost: raw sockets, prepared bytes and one request in flight per connection.
 * An answer with status 200 counts as good.
 */
import { connect, type Socket } from 'node:net'
import { readMessages } from './http-messages.ts'

export type LoadTarget = { readonly port: number; readonly requests: readonly Buffer[] }
export type LoadResult = {
  readonly perSecond: number
  /** Requests that were not sent, because no connection was idle. */ readonly unsent: number
  readonly medianMs: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly failures: number
  readonly firstFailure: string | null
}

export function httpPost(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Buffer {
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

const TIMER_SLACK_MS = 2

type Connection = { readonly socket: Socket; sentAt: number }

/** Sends requests on `inFlight` connections, each its next one after the answer to the last. */
export async function closedLoop(
  target: LoadTarget,
  options: { readonly inFlight: number; readonly onAnswer?: () => void } & (
    | { readonly seconds: number }
    | { readonly until: Promise<unknown> }
  ),
): Promise<LoadResult> {
  const run = startRun()
  const connections: Connection[] = []
  let next = 0
  const send = (connection: Connection): void => {
    connection.sentAt = performance.now()
    connection.socket.write(target.requests[next++ % target.requests.length] as Buffer)
  }
  for (let count = 0; count < options.inFlight; count += 1) {
    const connection = await openConnection(target.port, run, (ended) => {
      options.onAnswer?.()
      if (!run.over) send(ended)
    })
    connections.push(connection)
  }
  run.startedAt = performance.now()
  for (const connection of connections) send(connection)
  await ('until' in options ? options.until : after(options.seconds * 1000))
  return finishRun(run, connections)
}

/** Sends requests at a fixed rate, independent of response times. Latency starts at the scheduled time of a request. */
export async function openLoop(
  target: LoadTarget,
  options: {
    readonly perSecond: number
    readonly seconds: number
    readonly connections: number
    /** Drops a request when no connection is idle, instead of sending it late. */ readonly givesUp?: boolean
  },
): Promise<LoadResult> {
  const run = startRun()
  const waiting: number[] = []
  const idle: Connection[] = []
  let next = 0
  const send = (connection: Connection, dueAt: number): void => {
    connection.sentAt = dueAt
    connection.socket.write(target.requests[next++ % target.requests.length] as Buffer)
  }
  const connections: Connection[] = []
  for (let count = 0; count < options.connections; count += 1) {
    connections.push(
      await openConnection(target.port, run, (ended) => {
        const dueAt = waiting.shift()
        if (dueAt === undefined) idle.push(ended)
        else send(ended, dueAt)
      }),
    )
  }
  idle.push(...connections)
  run.startedAt = performance.now()
  let issued = 0
  await new Promise<void>((done) => {
    // Wakes once per millisecond instead of spinning, because the generator shares its core with the database and the vendor.
    const ticker = setInterval(() => {
      const nowMs = performance.now()
      const elapsedMs = nowMs - run.startedAt
      const due = Math.floor((elapsedMs / 1000) * options.perSecond)
      for (; issued < due; issued += 1) {
        const plannedAt = run.startedAt + (issued * 1000) / options.perSecond
        // The delay of the timer is not the server's. After a longer pause of the generator, latency starts at the scheduled time.
        const dueAt = nowMs - plannedAt > TIMER_SLACK_MS ? plannedAt : nowMs
        const connection = idle.pop()
        if (connection === undefined && options.givesUp === true) run.unsent += 1
        else if (connection === undefined) waiting.push(dueAt)
        else send(connection, dueAt)
      }
      if (elapsedMs < options.seconds * 1000) return
      clearInterval(ticker)
      done()
    }, 1)
  })
  return finishRun(run, connections)
}

type Run = {
  startedAt: number
  over: boolean
  unsent: number
  failures: number
  firstFailure: string | null
  readonly latenciesMs: number[]
}

function startRun(): Run {
  return {
    startedAt: performance.now(),
    over: false,
    unsent: 0,
    failures: 0,
    firstFailure: null,
    latenciesMs: [],
  }
}

function finishRun(run: Run, connections: readonly Connection[]): LoadResult {
  const seconds = (performance.now() - run.startedAt) / 1000
  run.over = true
  for (const { socket } of connections) socket.destroy()
  const sorted = Float64Array.from(run.latenciesMs).sort()
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return {
    perSecond: sorted.length / seconds,
    unsent: run.unsent,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    failures: run.failures,
    firstFailure: run.firstFailure,
  }
}

// One buffer per connection for all its responses, each read before the next request.
const LARGEST_READ_BYTES = 16_384

function openConnection(
  port: number,
  run: Run,
  onAnswer: (connection: Connection) => void,
): Promise<Connection> {
  return new Promise((ready, fail) => {
    const read = readMessages((answer) => {
      if (run.over) return
      if (isGood(answer)) run.latenciesMs.push(performance.now() - connection.sentAt)
      else {
        run.failures += 1
        run.firstFailure ??= answer.toString('utf8').slice(0, 600)
      }
      onAnswer(connection)
    })
    const buffer = Buffer.allocUnsafe(LARGEST_READ_BYTES)
    const onread = {
      buffer,
      callback(length: number): boolean {
        read(buffer.subarray(0, length))
        return true
      },
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    const connection: Connection = { socket, sentAt: 0 }
    socket.once('connect', () => ready(connection))
    socket.on('error', (error) => (run.over ? undefined : fail(error)))
  })
}

const STATUS_200 = Buffer.from('HTTP/1.1 200')

function isGood(answer: Buffer): boolean {
  return answer.compare(STATUS_200, 0, STATUS_200.length, 0, STATUS_200.length) === 0
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
