/** Streams over raw sockets. Each connection sends its next request when its answer has ended. */
import { connect, type Socket } from 'node:net'

export type StreamTarget = { readonly port: number; readonly request: Buffer }
export type StreamResult = {
  readonly perSecond: number
  readonly firstByteMs: number
  readonly wholeMs: number
  readonly failures: number
  readonly firstFailure: string | null
}

const TAIL_BYTES = 120
const CHUNKED_END = /\r\n0\r\n(?:[^\r\n]+\r\n)*\r\n$/

export async function streamLoop(
  { port, request }: StreamTarget,
  options: { readonly open: number; readonly seconds: number },
): Promise<StreamResult> {
  const firsts: number[] = []
  const wholes: number[] = []
  let over = false
  let failures = 0
  let firstFailure: string | null = null
  const startedMs = performance.now()
  const sockets = await Promise.all(Array.from({ length: options.open }, () => open(port)))
  for (const socket of sockets) {
    let sentMs = performance.now()
    let hasBegun = false
    let tail = ''
    socket.on('data', (bytes: Buffer) => {
      if (over) return
      if (!hasBegun) {
        hasBegun = true
        firsts.push(performance.now() - sentMs)
        if (!bytes.subarray(0, 12).equals(OK)) {
          failures += 1
          firstFailure ??= bytes.toString('utf8').slice(0, 400)
        }
      }
      tail =
        (bytes.length >= TAIL_BYTES ? '' : tail) +
        bytes.toString('latin1', Math.max(0, bytes.length - TAIL_BYTES))
      if (!CHUNKED_END.test(tail)) {
        tail = tail.slice(-TAIL_BYTES)
        return
      }
      wholes.push(performance.now() - sentMs)
      hasBegun = false
      tail = ''
      sentMs = performance.now()
      socket.write(request)
    })
    socket.write(request)
  }
  await new Promise((resume) => setTimeout(resume, options.seconds * 1000))
  over = true
  const seconds = (performance.now() - startedMs) / 1000
  for (const socket of sockets) socket.destroy()
  return {
    perSecond: wholes.length / seconds,
    firstByteMs: median(firsts),
    wholeMs: median(wholes),
    failures,
    firstFailure,
  }
}

/** Opens `count` streams and keeps them open. Resolves when all have begun. */
export async function openStreams(
  { port, request }: StreamTarget,
  count: number,
): Promise<{ close(): void }> {
  const sockets: Socket[] = []
  for (let place = 0; place < count; place += 1) {
    const socket = await open(port)
    socket.write(request)
    sockets.push(socket)
    await new Promise((begun) => socket.once('data', begun))
    socket.resume()
  }
  return {
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

export function median(numbers: readonly number[]): number {
  return (
    [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN
  )
}

const OK = Buffer.from('HTTP/1.1 200')

function open(port: number): Promise<Socket> {
  return new Promise((ready, fail) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => ready(socket))
    socket.on('error', fail)
  })
}
