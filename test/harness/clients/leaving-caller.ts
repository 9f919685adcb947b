/** A caller of the router that disconnects after a chosen byte of the answer. */
import { connect } from 'node:net'
import type { RouterBed } from '../beds/router.ts'

export type LeavingCaller = {
  /** Resolves after `bytes` bytes of the answer's body. */
  received(bytes: number): Promise<void>
  /** Stops reading and leaves the connection open. */
  stopReading(): void
  /** Disconnects. Resolves when the gateway has noticed. */
  leave(): Promise<void>
}

type Ask = {
  readonly body: object
  readonly idempotencyKey?: string | undefined
  readonly key?: string
}

export function openLeavingCaller(
  bed: Pick<RouterBed, 'url' | 'key'>,
  { body, idempotencyKey, key = bed.key }: Ask,
): LeavingCaller {
  const text = JSON.stringify(body)
  const { hostname, port, pathname } = new URL(bed.url)
  const reader = new CountedBody()
  let waiting: { readonly bytes: number; readonly resolve: () => void }[] = []
  const socket = connect(Number(port), hostname, () => {
    const idempotency = idempotencyKey === undefined ? '' : `idempotency-key: ${idempotencyKey}\r\n`
    socket.write(
      `POST ${pathname}/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${idempotency}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    reader.push(bytes)
    for (const one of waiting) if (reader.size >= one.bytes) one.resolve()
    waiting = waiting.filter((one) => reader.size < one.bytes)
  })
  return {
    received: (bytes) =>
      new Promise((resolve) =>
        reader.size >= bytes ? resolve() : waiting.push({ bytes, resolve }),
      ),
    stopReading: () => socket.pause(),
    async leave() {
      socket.destroy()
      await closed
      // The gateway notices a later request later.
      await (await fetch(`${bed.url}/pricing`)).text()
    },
  }
}

/** Counts the bytes of a body, chunked or with a stated length. */
class CountedBody {
  size = 0
  #text = ''
  #isInBody = false
  #isPlain = false

  push(bytes: Buffer): void {
    this.#text += bytes.toString('latin1')
    if (!this.#isInBody) {
      const end = this.#text.indexOf('\r\n\r\n')
      if (end < 0) return
      this.#isInBody = true
      this.#isPlain = /\r\ncontent-length:/i.test(this.#text.slice(0, end))
      this.#text = this.#text.slice(end + 4)
    }
    if (this.#isPlain) {
      this.size += this.#text.length
      this.#text = ''
    }
    for (;;) {
      const end = this.#text.indexOf('\r\n')
      const length = Number.parseInt(this.#text.slice(0, end), 16)
      if (end < 0 || this.#text.length < end + 2 + length + 2) return
      this.size += length
      this.#text = this.#text.slice(end + 2 + length + 2)
    }
  }
}
