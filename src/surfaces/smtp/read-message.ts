import type { SMTPServerDataStream } from 'smtp-server'
import { GatheredBytes } from '../../lib/gathered-bytes.ts'
import { SmtpRefusal } from '../../resources/inboxes/receiving/smtp-refusal.ts'

/** The bytes of messages in progress, over all connections. */
export type MessageMemory = {
  /** False if the bytes do not fit. */
  take(bytes: number): boolean
  release(bytes: number): void
}

export function createMessageMemory(maxBytes: number): MessageMemory {
  let used = 0
  return {
    take(bytes) {
      if (used + bytes > maxBytes) return false
      used += bytes
      return true
    },
    release(bytes) {
      used -= bytes
    },
  }
}

export type ReadLimits = { readonly maxBytes: number; readonly withinMs: number }

/** smtp-server emits a piece per line that begins with a dot: two million for 8 MB of such lines. */
const MOST_PIECES = 50_000
const LEAST_AVERAGE_BYTES = 32

/**
 * Reads a message into memory; `release` returns its bytes. Throws SmtpRefusal: 552 for a message that
 * is too large, 452 while the memory is used, and 421 for a sender that takes too long, sends far too
 * much or only tiny pieces. After 421 the connection must end.
 */
export async function readMessage(
  stream: SMTPServerDataStream,
  memory: MessageMemory,
  { maxBytes, withinMs }: ReadLimits,
): Promise<{ readonly raw: Buffer; release(): void }> {
  let gathered = new GatheredBytes(maxBytes)
  let pieces = 0
  let taken = 0
  let refusal: SmtpRefusal | null = null
  const release = (): void => {
    memory.release(taken)
    taken = 0
  }
  const refuse = (error: SmtpRefusal): void => {
    refusal ??= error
    // Later pieces are dropped.
    gathered = new GatheredBytes(maxBytes)
    release()
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const late = new SmtpRefusal(421, '4.4.2 The message took too long')
  const timer = setTimeout(() => reject(late), withinMs)
  stream.on('data', (piece: Buffer) => {
    // The rest is read and dropped, so that the sender gets the answer.
    if (stream.byteLength > 2 * maxBytes)
      reject(new SmtpRefusal(421, '4.3.1 The message is too large'))
    pieces += 1
    if (pieces > MOST_PIECES && stream.byteLength < pieces * LEAST_AVERAGE_BYTES)
      reject(new SmtpRefusal(421, '4.6.0 The message has too many lines that begin with a dot'))
    if (refusal !== null) return
    if (stream.byteLength > maxBytes)
      refuse(new SmtpRefusal(552, `5.3.4 A message may have at most ${maxBytes} bytes`))
    else {
      // The memory that the pieces use when they are copied; separate ones use a hundred times their bytes.
      const needed = gathered.capacityWith(piece.length) - taken
      if (!memory.take(needed)) return refuse(new SmtpRefusal(452, '4.3.1 Try again later'))
      taken += needed
      gathered.add(piece)
    }
  })
  stream.once('end', resolve)
  stream.once('close', () => reject(late))
  try {
    await promise
    if (refusal !== null) throw refusal
    return { raw: gathered.bytes, release }
  } catch (error) {
    refuse(late)
    stream.resume()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
