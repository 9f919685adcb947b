/** Answers of an own action to test keys. */
import type { WireRequest } from '../vocabulary/wire.ts'
import type { OwnAction, OwnFile, Simulated } from './own-file.ts'
import { hasValues, type SentRequest } from './own-request.ts'

/** The simulated answer to a request as it was sent. Null for a request of no action of the file. */
export function simulatedAnswer(
  { actions }: Pick<OwnFile, 'actions'>,
  sent: SentRequest & { readonly method: string },
): Simulated | null {
  const own = actions.find(
    ({ request }) => request.method === sent.method && pathPattern(request.path).test(sent.path),
  )
  return own === undefined ? null : answerOf(own, sent)
}

/** The last answer applies to every other request. */
export function answerOf({ request, simulate }: OwnAction, sent: SentRequest): Simulated | null {
  return (
    simulate.find(({ when }) => when === undefined || hasValues(request, sent, when)) ??
    simulate.at(-1) ??
    null
  )
}

/** A request as the simulator receives it. */
export function asSent({ path, query = {}, headers = {}, json, form }: WireRequest): SentRequest {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) if (item !== undefined) search.append(name, String(item))
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const received: SentRequest['headers'] = Object.fromEntries(lower)
  return { path, query: search, headers: received, body: json ?? form }
}

function pathPattern(path: string): RegExp {
  const escaped = path.split(/\{\w+\}/).map((part) => RegExp.escape(part))
  return new RegExp(`^${escaped.join('[^/]+')}$`)
}
