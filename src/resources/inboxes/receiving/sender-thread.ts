/** Checks senders in a thread of its own. See `sender-checker.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { createSenderCheck, type Authentication, type Delivery } from './check-sender.ts'

export type ToSenderThread =
  | {
      readonly kind: 'check'
      readonly id: number
      readonly raw: Uint8Array
      readonly delivery: Delivery
    }
  | { readonly kind: 'found'; readonly id: number; readonly records: readonly unknown[] }
  | { readonly kind: 'missing'; readonly id: number; readonly code: string }
  | { readonly kind: 'ping' }

export type FromSenderThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'pong' }
  | {
      readonly kind: 'lookup'
      readonly id: number
      readonly domain: string
      readonly recordType: string
    }
  | { readonly kind: 'checked'; readonly id: number; readonly authentication: Authentication }

type Lookup = { found(records: readonly unknown[]): void; missing(error: Error): void }

const lookups = new Map<number, Lookup>()
let lastLookup = 0

const check = createSenderCheck(String(workerData), (domain, recordType) => {
  lastLookup += 1
  const id = lastLookup
  send({ kind: 'lookup', id, domain, recordType })
  return new Promise((found, missing) => lookups.set(id, { found, missing }))
})

function send(message: FromSenderThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message)
}

function endLookup(id: number): Lookup | undefined {
  const lookup = lookups.get(id)
  lookups.delete(id)
  return lookup
}

parentPort?.on('message', (message: ToSenderThread) => {
  switch (message.kind) {
    case 'ping':
      send({ kind: 'pong' })
      break
    case 'found':
      endLookup(message.id)?.found(message.records)
      break
    case 'missing':
      endLookup(message.id)?.missing(
        Object.assign(new RangeError('no record'), { code: message.code }),
      )
      break
    case 'check': {
      const { id, raw, delivery } = message
      void check(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), delivery).then(
        (authentication) => send({ kind: 'checked', id, authentication }),
      )
    }
  }
})
// Loading it takes seconds on a busy machine, which count for no message.
await import('mailauth')
send({ kind: 'ready' })
