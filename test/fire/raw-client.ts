/** A client below HTTP: it sends the bytes of a test and stops where the test decides. */
import { connect, type Socket } from 'node:net'
import { cleanUp } from '../harness/clean-up.ts'

export type RawClient = {
  readonly socket: Socket
  write(text: string): void
  /** Resolves with all that was received so far, as soon as it holds `text` so many times. */
  received(text: string, times?: number): Promise<string>
  /** Discards the received bytes. */
  forget(): void
  /** Resolves with all that was received when the server has ended the connection. */
  closed(): Promise<string>
}

export async function openRaw(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  cleanUp(() => socket.destroy())
  let said = ''
  const ended = new Promise<void>((done) => socket.once('close', () => done()))
  // A reset is an end too.
  socket.on('error', () => {})
  socket.on('data', (text: string) => (said += text))
  await new Promise<void>((done, fail) => socket.once('connect', done).once('error', fail))
  return {
    socket,
    write: (text) => void socket.write(text),
    async received(text, times = 1) {
      while (said.split(text).length <= times) {
        await Promise.race([
          new Promise((done) => socket.once('data', done)),
          ended.then(() => Promise.reject(new RangeError(`ended after: ${said}`))),
        ])
      }
      return said
    },
    forget() {
      said = ''
    },
    async closed() {
      await ended
      return said
    },
  }
}

export function rawPost(
  path: string,
  key: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const lines = Object.entries({
    host: 'gate',
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  })
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

/** The statuses in the received bytes, in order. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
}
