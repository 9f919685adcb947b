import { readJson } from './result.ts'
import type { CallOptions, Transport } from './transport.ts'
import type { TollgateEvent } from './event.ts'

export type EventOptions = Pick<CallOptions, 'signal'> & {
  /** The id of an event: start after it. "latest": only later events. Default: the oldest stored event. */
  readonly after?: string
  /** Types and patterns, such as ["job.*", "key.threshold"]. */
  readonly types?: readonly string[]
  /** False ends the iteration after the last stored event. Default: true. */
  readonly follow?: boolean
}

type Page = { readonly data: readonly TollgateEvent[]; readonly next_after: string | null }

const WAIT_S = 30

/** Events in order. Store the id of the last one as `after` to continue later. */
export async function* readEvents(
  transport: Transport,
  { after, types = [], follow = true, signal }: EventOptions,
): AsyncGenerator<TollgateEvent, void, void> {
  for (let cursor = after; ;) {
    const query = new URLSearchParams({
      ...(cursor === undefined ? {} : { after: cursor }),
      ...(types.length === 0 ? {} : { types: types.join(',') }),
      ...(follow && cursor !== 'latest' ? { wait_s: String(WAIT_S) } : {}),
    })
    const { data, next_after: next } = readJson(
      await transport.send(
        { method: 'GET', path: `/api/v1/events?${query.toString()}` },
        signal === undefined ? {} : { signal },
      ),
    ) as Page
    yield* data
    const isEnd = data.length === 0 && cursor !== 'latest'
    if (!follow && isEnd) return
    cursor = next ?? cursor
  }
}
