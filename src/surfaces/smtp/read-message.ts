import type { SMTPServerDataStream } from 'smtp-server'
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

/**
 * Reads a message into memory; `release` returns its bytes. Throws SmtpRefusal: 552 for a message that
 * is too large, 452 while the memory is used, 421 for a sender that takes too long.
 */
export async function readMessage(
  stream: SMTPServerDataStream,
  memory: MessageMemory,
  { maxBytes, withinMs }: ReadLimits,
): Promise<{ readonly raw: Buffer; release(): void }> {
  const pieces: Buffer[] = []
  let taken = 0
  let refusal: SmtpRefusal | null = null
  const release = (): void => {
    memory.release(taken)
    taken = 0
  }
  const refuse = (error: SmtpRefusal): void => {
    refusal ??= error
    pieces.length = 0
    release()
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const late = new SmtpRefusal(421, '4.4.2 The message took too long')
  const timer = setTimeout(() => reject(late), withinMs)
  stream.on('data', (piece: Buffer) => {
    // The rest is read and dropped, so that the sender gets the answer.
    if (stream.byteLength > 2 * maxBytes)
      reject(new SmtpRefusal(421, '4.3.1 The message is too large'))
    if (refusal !== null) return
    if (stream.byteLength > maxBytes)
      refuse(new SmtpRefusal(552, `5.3.4 A message may have at most ${maxBytes} bytes`))
    else if (!memory.take(piece.length)) refuse(new SmtpRefusal(452, '4.3.1 Try again later'))
    else {
      taken += piece.length
      pieces.push(piece)
    }
  })
  stream.once('end', resolve)
  stream.once('close', () => reject(late))
  try {
    await promise
    if (refusal !== null) throw refusal
    return { raw: Buffer.concat(pieces), release }
  } catch (error) {
    release()
    stream.resume()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
