import type { Readable, Writable } from 'node:stream'

/** The two ends of `--remote-debugging-pipe`: JSON texts, each followed by a zero byte. */
export type CdpPipe = {
  /** False if the browser has too much to read; then the text is dropped. */
  send(text: string): boolean
  onMessage(listener: (text: string) => void): void
}

const MOST_UNREAD_BYTES = 32 * 1024 * 1024
const LONGEST_MESSAGE_BYTES = 128 * 1024 * 1024

/** `onBroken`: the browser sent too long a message, or the pipe broke. */
export function createCdpPipe(input: Writable, output: Readable, onBroken: () => void): CdpPipe {
  let parts: Buffer[] = []
  let bytes = 0
  let receive: (text: string) => void = () => undefined
  for (const stream of [input, output]) stream.on('error', onBroken)
  output.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
      const text = Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8')
      parts = []
      bytes = 0
      from = end + 1
      receive(text)
    }
    if (from === chunk.length) return
    parts.push(chunk.subarray(from))
    bytes += chunk.length - from
    if (bytes > LONGEST_MESSAGE_BYTES) onBroken()
  })
  return {
    send(text) {
      if (input.writableLength > MOST_UNREAD_BYTES || !input.writable) return false
      input.write(`${text}\0`)
      return true
    },
    onMessage(listener) {
      receive = listener
    },
  }
}
