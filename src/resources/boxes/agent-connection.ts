/** The frames between the gateway and the agent in a box. */
import type { Readable, Writable } from 'node:stream'

const HEADER_BYTES = 9
/** The agent sends at most 64 KiB. A longer frame comes from a program that has taken over its pipe. */
const LARGEST_FRAME = 64 * 1024

/** The exit code of a shell for a program that it cannot start. */
const NOT_STARTED = 126

export type OutputStream = 'stdout' | 'stderr'

/** A program in a box, from its start to its end. */
export type RunningProgram = {
  /** Sends bytes to its standard input. Resolves when they were passed on. */
  write(bytes: Buffer): Promise<void>
  endInput(): void
  /** Sends a signal to its process group; SIGKILL reaches all processes that it started. */
  kill(signal: number): void
}

export type ProgramEvents = {
  readonly onOutput: (stream: OutputStream, bytes: Buffer) => void
  /** `exitCode` is null if the box has ended. */
  readonly onEnd: (exitCode: number | null) => void
}

/** A program to start. `limit`: bytes of each output stream; the agent drops the rest. */
export type ProgramStart = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  readonly limit: number
}

export type AgentConnection = {
  /** Resolves when the agent is ready, and rejects if the box ends before. */
  readonly ready: Promise<void>
  start(start: ProgramStart, events: ProgramEvents): RunningProgram
  /** The box has ended: all programs end. */
  end(): void
}

/** `onViolation`: the data cannot come from the agent. */
export function connectAgent(
  input: Writable,
  output: Readable,
  onViolation: () => void,
): AgentConnection {
  const programs = new Map<number, ProgramEvents>()
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  ready.catch(() => undefined)
  let lastId = 0
  let received: Buffer = Buffer.alloc(0)
  let hasEnded = false

  function send(type: string, id: number, payload: Buffer): Promise<void> {
    if (hasEnded) return Promise.resolve()
    const header = Buffer.alloc(HEADER_BYTES)
    header.write(type, 'latin1')
    header.writeUInt32BE(id, 1)
    header.writeUInt32BE(payload.length, 5)
    input.write(header)
    return new Promise((sent) => input.write(payload, () => sent()))
  }

  function handle(type: string, id: number, payload: Buffer): void {
    if (type === 'H') resolve()
    const program = programs.get(id)
    if (program === undefined) return
    if (type === 'O') program.onOutput('stdout', payload)
    else if (type === 'S') program.onOutput('stderr', payload)
    else if (type === 'X') {
      programs.delete(id)
      program.onEnd(payload.length === 4 ? payload.readUInt32BE() & 255 : null)
    } else if (type === 'F') {
      programs.delete(id)
      program.onOutput('stderr', Buffer.concat([payload, Buffer.from('\n')]))
      program.onEnd(NOT_STARTED)
    }
  }

  // The end of the box reports a broken pipe.
  input.on('error', () => undefined)
  output.on('data', (bytes: Buffer) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    while (received.length >= HEADER_BYTES) {
      const length = received.readUInt32BE(5)
      if (length > LARGEST_FRAME) return onViolation()
      if (received.length < HEADER_BYTES + length) return
      const [type, id] = [received.toString('latin1', 0, 1), received.readUInt32BE(1)]
      const payload = received.subarray(HEADER_BYTES, HEADER_BYTES + length)
      received = received.subarray(HEADER_BYTES + length)
      handle(type, id, payload)
    }
  })

  return {
    ready,
    start({ args, env, folder, limit }, events) {
      const id = (lastId += 1)
      if (hasEnded) {
        queueMicrotask(() => events.onEnd(null))
        return { write: async () => {}, endInput() {}, kill() {} }
      }
      programs.set(id, events)
      const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
      void send('R', id, words([folder, String(limit), String(args.length), ...args, ...variables]))
      return {
        write: (bytes) => send('I', id, bytes),
        endInput: () => void send('E', id, Buffer.alloc(0)),
        kill(signal) {
          const payload = Buffer.alloc(4)
          payload.writeUInt32BE(signal)
          void send('K', id, payload)
        },
      }
    },
    end() {
      if (hasEnded) return
      hasEnded = true
      reject(new RangeError('The box ended before it was ready.'))
      for (const { onEnd } of programs.values()) onEnd(null)
      programs.clear()
    },
  }
}

function words(texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      return [length, bytes]
    }),
  )
}
