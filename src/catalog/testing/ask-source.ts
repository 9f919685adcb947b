/** Calls a source with all its follow-up requests, like production, over `sendWire`. */
import type { OpenSource, Source } from '../vocabulary/define.ts'
import type { Data } from '../vocabulary/outcome.ts'
import type { Reply, Vendor, WireRequest } from '../vocabulary/wire.ts'
import { sendWire } from './send-wire.ts'

/**
 * `ok` is false for a status outside the accepted ones. The vendor's `readFailure` then decides.
 */
export type SourceAnswer = {
  readonly ok: boolean
  readonly reply: Reply
  readonly wires: readonly WireRequest[]
  /** All requests, including the last. */ readonly replies: readonly Reply[]
}

/** Throws AppError for input that the source rejects. */
export async function askSource(
  baseUrl: string,
  vendor: Vendor,
  source: Source & Pick<OpenSource, 'check'>,
  input: Data,
): Promise<SourceAnswer> {
  source.check?.(input)
  let wire: WireRequest | null = source.request(input)
  let last: SourceAnswer = {
    ok: false,
    reply: { status: 0, headers: {}, body: undefined },
    wires: [],
    replies: [],
  }
  for (const next of [...(source.followUps ?? []), () => null]) {
    const answer: Reply = await sendWire(baseUrl, vendor, wire)
    const reply: Reply = wire.agreed === undefined ? answer : { ...answer, agreed: wire.agreed }
    const ok: boolean =
      (reply.status >= 200 && reply.status < 300) ||
      wire.acceptedStatuses?.includes(reply.status) === true
    last = { ok, reply, wires: [...last.wires, wire], replies: [...last.replies, reply] }
    wire = ok ? next(reply, input) : null
    if (wire === null) return last
  }
  return last
}
