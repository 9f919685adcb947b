import type { WireRequest } from '../catalog/vocabulary/wire.ts'
import type { Clock } from '../lib/clock.ts'
import type { Sent, Target } from './send.ts'

/** Bounds memory: reference files run to a few megabytes each. */
const MAX_KEPT = 8

/** Answers of vendors that change slowly, kept in this process for as long as the request says. */
export type KeptReplies = {
  /** The kept answer, or what `ask` brings; only successes that hold anything are kept. Those who ask meanwhile wait for the same answer. */
  readonly through: (target: Target, wire: WireRequest, ask: () => Promise<Sent>) => Promise<Sent>
}

export function createKeptReplies(now: Clock): KeptReplies {
  const kept = new Map<string, { readonly sent: Promise<Sent>; readonly untilMs: number }>()
  async function keptOrAsked(
    target: Target,
    wire: WireRequest,
    cacheSeconds: number,
    ask: () => Promise<Sent>,
  ): Promise<Sent> {
    const key = JSON.stringify([
      target.service,
      target.origin,
      target.basePath,
      wire.origin,
      wire.path,
      wire.query,
    ])
    const known = kept.get(key)
    if (known !== undefined && known.untilMs > now()) return known.sent
    const sent = ask()
    kept.delete(key)
    kept.set(key, { sent, untilMs: now() + cacheSeconds * 1000 })
    for (const oldest of kept.size > MAX_KEPT ? kept.keys().take(kept.size - MAX_KEPT) : [])
      kept.delete(oldest)
    const answer = await sent
    if (!isReference(answer) && kept.get(key)?.sent === sent) kept.delete(key)
    return answer
  }

  return {
    through: (target, wire, ask) =>
      wire.cacheSeconds === undefined ? ask() : keptOrAsked(target, wire, wire.cacheSeconds, ask),
  }
}

/** Reference files are lists in JSON: the notice of a vendor that is being repaired, which comes with status 200 too, must not stand in their place for a day. */
function isReference(sent: Sent): boolean {
  return (
    sent.ok &&
    typeof sent.reply.body === 'object' &&
    sent.reply.body !== null &&
    Object.keys(sent.reply.body).length > 0
  )
}
