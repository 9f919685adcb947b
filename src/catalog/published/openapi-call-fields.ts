/** Schemas of the fields that the gateway accepts in addition to those of an action. */
import { LEAST_MAX_CHARS, MOST_MAX_CHARS } from '../vocabulary/max-chars.ts'

export const callFieldSchemas = {
  MaxCostCents: {
    type: 'integer',
    minimum: 0,
    description:
      'The most that this call may cost, in whole cents. A parameter that decides the charge, such as limit, is reduced to the number that this amount covers. A call whose least price is higher is rejected before it starts. The charge never exceeds this amount.',
  },
  PriceId: {
    type: 'string',
    pattern: '^price_[0-9a-f]{12}$',
    description:
      'The price_id of the descriptor. A call whose price rule has another id is rejected with price_changed before it starts.',
  },
  MaxChars: {
    type: 'integer',
    minimum: LEAST_MAX_CHARS,
    maximum: MOST_MAX_CHARS,
    description:
      'The most characters of the answer. Longer texts and lists are cut, and truncated in the answer links the rest, which is stored as a file until its link expires. No limit by default.',
  },
  ConfirmLoop: {
    type: 'string',
    maxLength: 100,
    description:
      'The token in details.confirm of an error loop_suspected. It lets one call pass the loop breaker.',
  },
  WebhookUrl: {
    type: 'string',
    description:
      'A public web address that receives the signed event of the end of the job: job.succeeded, job.failed or job.cancelled. Only for calls that run as a job.',
  },
}
