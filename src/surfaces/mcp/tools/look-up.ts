/** The tools that only look: what there is, how it is called, what may be spent. */
import { readBalance } from '../../../accounts/balance.ts'
import { params } from '../../../catalog/vocabulary/define.ts'
import { optional, text } from '../../../catalog/vocabulary/fields.ts'
import { describeAction } from '../../../catalog/published/describe-action.ts'
import type { Discovery } from '../../../composites/discover/create-discover.ts'
import { describeKey } from '../../../keys/describe-key.ts'
import { callAction } from './run.ts'
import { reply, type Tool } from './tool.ts'

const LOOKS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

export const discover: Tool = {
  name: 'discover',
  title: 'Find an action',
  description:
    'Search the catalog of paid actions (web search, page reading, people and company data, language models and more) by what you want done. Free. Hits name service, action, price and required parameters; live: false means that it needs a test key here.',
  input: params({
    query: text('What you want done, in plain words, such as "read a web page as markdown".', 500),
  }),
  annotations: LOOKS,
  async call(parts, call) {
    const { body } = await callAction(parts, call, {
      service: 'core',
      action: 'discover',
      body: call.input,
    })
    const { data } = JSON.parse(body) as { data: Discovery }
    return reply(call.request, { ...data, next: adviceOn(data) })
  },
}

// What core/discover itself advises is addresses of HTTP, which a model with tools has no use for.
function adviceOn({ hits: [first] }: Discovery): string {
  if (first === undefined) return 'Nothing in the catalog fits. Try other words.'
  const waiting = first.live
    ? ''
    : ' It is not set up on this gateway; a test key reaches a simulation of it.'
  const named = `service "${first.service}", action "${first.action}"${first.endpoint === null ? '' : `, endpoint "${first.endpoint}"`}`
  return `describe with ${named} shows all parameters and an example; run makes the call.${waiting}`
}

// Descriptors of services with thousands of endpoints are too long for any model to read.
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
  annotations: LOOKS,
  async call({ published, calls }, { request, input }) {
    const { service, action, endpoint } = input as {
      service: string
      action: string
      endpoint?: string
    }
    const {
      ok: _,
      curl: _curl,
      ...told
    } = describeAction(published, calls.catalog, service, action, endpoint)
    if (!('endpoints' in told)) return reply(request, told)
    const { endpoints, params: _schema, ...rest } = told
    return reply(request, {
      ...rest,
      params: { endpoint: 'One of the endpoints; describe with it shows its own parameters.' },
      endpoint_count: endpoints.length,
      endpoints: endpoints.slice(0, ENDPOINTS_LISTED),
      ...(endpoints.length > ENDPOINTS_LISTED
        ? { next: 'Not all endpoints are listed here: discover finds the one for a task.' }
        : {}),
    })
  },
}

export const balance: Tool = {
  name: 'balance',
  title: 'Show the balance',
  description:
    'Credit of the account, what is held and spent, and what this key may still spend under its ceiling. Free.',
  input: params({}),
  annotations: LOOKS,
  async call({ calls }, { request }) {
    const [{ lots: _, ...credit }, key] = await Promise.all([
      readBalance(calls, request.caller),
      describeKey(calls, request.caller),
    ])
    return reply(request, { ...credit, key })
  },
}
