/** The read-only tools: discover, describe and balance. */
import { readBalance } from '../../../accounts/balance.ts'
import { params } from '../../../catalog/vocabulary/define.ts'
import { optional, text, whole } from '../../../catalog/vocabulary/fields.ts'
import { describeAction } from '../../../catalog/published/describe-action.ts'
import type { Discovery } from '../../../composites/discover/create-discover.ts'
import { describeKey } from '../../../keys/describe-key.ts'
import { splitActionName } from './action-name.ts'
import { callAction } from './run.ts'
import { outputOf, reply, type Tool } from './tool.ts'

const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** Few hits, because each of them costs the model context. */
const DEFAULT_HITS = 3

export const discover: Tool = {
  name: 'discover',
  title: 'Find an action',
  description:
    'Search the catalog of paid actions (web search, page reading, people and company data, language models and more) for a task. Free. Hits have service, action, price, required parameters and the probability that they fit; confidence low marks a guess. live: false means that only test keys can run the action here.',
  input: params({
    query: text('The task in plain words, such as "read a web page as markdown".', 500),
    limit: whole('The most hits.', 1, 25, { default: DEFAULT_HITS }),
  }),
  output: outputOf({ hits: { type: 'array' }, next: { type: 'string' } }),
  annotations: READ_ONLY,
  async call(deps, call) {
    const { body } = await callAction(deps, call, {
      service: 'core',
      action: 'discover',
      body: call.input,
    })
    const { data } = JSON.parse(body) as { data: Discovery }
    return reply(call.request, { ...data, next: adviceOn(data) })
  },
}

// The advice of core/discover names HTTP addresses, which a model with tools cannot use.
function adviceOn({ hits: [first] }: Discovery): string {
  if (first === undefined) return 'No matching actions. Try other words.'
  const setup = first.live
    ? ''
    : ' The action is not set up on this gateway; a test key runs its simulation.'
  const doubt =
    first.confidence === 'high' ? '' : 'No action clearly fits; these hits are guesses. '
  const named = `service "${first.service}", action "${first.action}"${first.endpoint === null ? '' : `, endpoint "${first.endpoint}"`}`
  return `${doubt}describe with ${named} returns all parameters and an example; run makes the call.${setup}`
}

// A descriptor with thousands of endpoints exceeds the context of a model.
const ENDPOINTS_LISTED = 30

export const describe: Tool = {
  name: 'describe',
  title: 'Describe an action',
  description:
    'Parameters (JSON Schema), price, billing rule and an example of one action. Free. For an action with many endpoints, name the endpoint too.',
  input: params({
    service: text('Such as "core".', 100),
    action: text('Such as "onescrape".', 200),
    endpoint: optional(text('An endpoint of an action that lists endpoints.', 500)),
  }),
  annotations: READ_ONLY,
  readSent: splitActionName,
  async call({ published, calls }, { request, input }) {
    const { service, action, endpoint } = input as {
      service: string
      action: string
      endpoint?: string
    }
    const {
      ok: _,
      curl: _curl,
      ...descriptor
    } = describeAction(published, calls.catalog, service, action, endpoint)
    if (!('endpoints' in descriptor)) return reply(request, descriptor)
    const { endpoints, params: _schema, ...rest } = descriptor
    return reply(request, {
      ...rest,
      params: { endpoint: 'One of the endpoints. Call describe with it for its parameters.' },
      endpoint_count: endpoints.length,
      endpoints: endpoints.slice(0, ENDPOINTS_LISTED),
      ...(endpoints.length > ENDPOINTS_LISTED
        ? { next: 'This list is incomplete. discover finds the endpoint for a task.' }
        : {}),
    })
  },
}

export const balance: Tool = {
  name: 'balance',
  title: 'Show the balance',
  description:
    'Credit of the account, held and spent amounts, and the remaining limit of this key. Free.',
  input: params({}),
  output: outputOf({ available_cents: { type: 'number' }, key: { type: 'object' } }),
  annotations: READ_ONLY,
  async call({ calls }, { request }) {
    const [{ lots: _, ...credit }, key] = await Promise.all([
      readBalance(calls, request.caller),
      describeKey(calls, request.caller),
    ])
    return reply(request, { ...credit, key })
  },
}
