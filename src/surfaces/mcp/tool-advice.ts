import type { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'

/** The default advice of a code where tools, not requests, are the remedy. */
const BY_CODE: Partial<Record<ErrorCode, string>> = {
  invalid_params: 'Correct the field named in the message. describe lists the parameters.',
  onescrape_social: `Use an action of the service socialread or platform. discover finds it by the platform's name.`,
  key_expired:
    'Use another key, or ask the account holder to set a later expiry on the /keys page.',
  api_key_paused: 'Ask the account holder to resume the key on the /keys page.',
  action_not_allowed:
    'Use an action that the key allows (balance lists its patterns), or ask the account holder to change them on the /keys page.',
  primary_key_needed: 'Ask the account holder to make this change on the /keys page.',
  key_quota_exceeded: 'End keys that you no longer use: budget with do "end".',
  unknown_service: 'discover finds the action for a task.',
  unknown_action: 'discover finds the action for a task.',
  model_not_found: 'core/cheap, core/mid and core/best always select current models.',
  unknown_key: 'budget with do "list" lists the child keys.',
  not_found: 'Check the name. discover finds the action for a task.',
  room_held:
    'Make the same call again after retry_after_seconds, or pass wait_s. details.until has the time by which enough of the credit is free.',
  idempotency_key_reused: 'Use a new idempotency_key for a new call.',
  inference_daily_cap:
    "Wait until 00:00 UTC (retry_after_seconds), or ask the gateway's operator to raise the limit.",
}

/** Phrases of other advice, and their form for a model with tools. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [
    /GET \/api\/run\/([^\s/]+)\/([^\s/]+) lists its endpoints, if it has any\./g,
    'describe with service "$1" and action "$2" lists its endpoints, if it has any.',
  ],
  [/GET \/api\/run lists all (?:services|actions)\./g, 'discover searches all actions.'],
  [/GET \/api\/v1\/agents\/me\/children lists/g, 'budget with do "list" lists'],
  [/with GET \/api\/v1\/agents\/me\b/g, 'with balance'],
  [/GET \/api\/llm\/v1\/(?:models|pricing) lists all models\./g, 'core/mid selects a current one.'],
  [/a model of GET \/api\/llm\/v1\/(?:models|pricing)/g, 'core/cheap, core/mid or core/best'],
  [/GET \/api\/v1\/transactions shows/g, 'result with the idempotency_key shows'],
  [/Wait for the number of seconds in the Retry-After header/g, 'Wait for retry_after_seconds'],
  [/Idempotency-Key/g, 'idempotency_key'],
]

/** The advice of an error for a model with tools. It names tools instead of HTTP routes and headers. */
export function adviseForTools({ code, fix, spec }: AppError): string {
  const own = fix === spec.fix ? BY_CODE[code] : undefined
  return own ?? PHRASES.reduce((text, [phrase, form]) => text.replace(phrase, form), fix)
}
