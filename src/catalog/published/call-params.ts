/** The parameters that the gateway accepts in addition to those of an action. */
import { canBeJob, type Action } from '../vocabulary/define.ts'
import { acceptsMaxChars, LEAST_MAX_CHARS, MOST_MAX_CHARS } from '../vocabulary/max-chars.ts'
import type { JsonSchema } from './json-schema.ts'

type Fields = Readonly<Record<string, JsonSchema>>

const forAll: Fields = {
  max_cost_cents: {
    type: 'integer',
    minimum: 0,
    description:
      'The most that this call may cost, in whole cents. A parameter that decides the charge, such as limit, is reduced to the number that this amount covers. A call that must cost more is rejected before it starts.',
  },
  price_id: {
    type: 'string',
    description:
      'The price_id of the descriptor. A call whose price rule has another id is rejected before it starts.',
  },
}

/** Accepted by every action that returns text of third parties. */
const forReading: Fields = {
  max_chars: {
    type: 'integer',
    minimum: LEAST_MAX_CHARS,
    maximum: MOST_MAX_CHARS,
    description:
      'The most characters of the answer. Longer texts and lists are cut; truncated in the answer has a link to the rest. No limit by default; 60000 over MCP.',
  },
}

/** Accepted by every job. */
const forJobs: Fields = {
  webhook_url: {
    type: 'string',
    description:
      'A public web address that receives the signed event of the end of the job. Only for calls that run as a job.',
  },
}

/** The parameters of one action, without those of every action. */
export function ownCallParams(action: Action): Fields {
  return {
    ...(acceptsMaxChars(action) ? forReading : {}),
    ...(canBeJob(action) ? forJobs : {}),
  }
}

export function callParamsOf(action: Action): Fields {
  return { ...forAll, ...ownCallParams(action) }
}
