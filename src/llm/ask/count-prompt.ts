/** Counts the tokens of a message before it is sent. Free, so the work for it is bounded. */
import type { IncomingHttpHeaders } from 'node:http'
import { fieldsOf, isFields, parseFields } from '../../lib/json-fields.ts'
import { Deadline } from '../../lib/deadline.ts'
import type { Caller } from '../../keys/caller.ts'
import { allowedMembers } from '../../keys/policy/require-allowed.ts'
import { exchange } from '../../upstream/exchange.ts'
import { estimatePrompt } from '../bill/prompt-tokens.ts'
import { countOf } from '../bill/usage.ts'
import type { Candidate } from '../lists/model.ts'
import { readMessagesRequest } from '../wires/messages/read-messages-request.ts'
import type { OwnForm } from '../wires/own-form.ts'
import type { Router } from './create-router.ts'
import { headersFor } from './upstream.ts'

export type PromptCount = {
  readonly tokens: number
  /** By this gateway, because the upstream counts no tokens. Such a count is an upper estimate. */
  readonly isEstimated: boolean
}

type CountRequest = {
  readonly caller: Caller
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
}

const COUNT_MS = 5_000
const MOST_ANSWER_BYTES = 64 * 1024
// Upstreams limit these requests, and no caller pays for them.
const MOST_IN_FLIGHT = 32
const COUNTED: readonly string[] = [
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
]

/** Creates a counter. The first candidate's upstream counts if it speaks Messages; otherwise the gateway estimates. */
export function createPromptCounter(
  router: Pick<Router, 'directory' | 'extraFields'>,
): (request: CountRequest) => Promise<PromptCount> {
  let inFlight = 0
  return async ({ caller, body, headers }) => {
    const counted = isFields(body) ? { max_tokens: 1, ...body } : body
    const request = readMessagesRequest(counted, headers, router.extraFields)
    const { own, model, needs } = request
    const { name, candidates } = await router.directory.find(model, caller.mode, needs)
    const [first] = allowedMembers(caller, name, candidates)
    if (own !== null && first?.upstream.wires?.has('messages') && inFlight < MOST_IN_FLIGHT) {
      inFlight += 1
      const tokens = await askUpstream(own, first).finally(() => {
        inFlight -= 1
      })
      if (tokens !== null) return { tokens, isEstimated: false }
    }
    return { tokens: own === null ? 0 : estimatePrompt(own.prompt), isEstimated: true }
  }
}

/** Null if the upstream does not count. */
async function askUpstream(own: OwnForm, candidate: Candidate): Promise<number | null> {
  const { upstream, upstreamModel } = candidate
  const fields = Object.entries(own.body).filter(([name]) => COUNTED.includes(name))
  const deadline = new Deadline(COUNT_MS)
  try {
    const { status, text } = await exchange(
      upstream.dispatcher,
      {
        origin: upstream.origin,
        path: `${upstream.basePath}/messages/count_tokens`,
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...headersFor(upstream, 'messages'),
          ...own.headersFor(candidate),
        },
        body: JSON.stringify({ model: upstreamModel, ...Object.fromEntries(fields) }),
      },
      { deadline, maxBytes: MOST_ANSWER_BYTES },
    )
    return status === 200 ? countOf(fieldsOf(parseFields(text))['input_tokens']) : null
  } catch {
    return null
  } finally {
    deadline.end()
  }
}
