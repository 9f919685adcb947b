/** The schemas of policy settings, and the checks that a schema cannot express. */
import { Type } from '../../lib/schema.ts'
import type { SqlValue } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { parseTime, toRfc3339 } from '../../lib/clock.ts'
import { wholeCents } from '../../lib/money.ts'
import { BREAKERS, type Breaker } from './breaker.ts'
import { isAddressOrNetwork } from './address-list.ts'
import { LONGEST_PATTERN, MOST_PATTERNS, PATTERN } from './patterns.ts'

const MOST_ADDRESSES = 100
const LONGEST_ADDRESS = 50
const HIGHEST_RATE = 1_000_000
// Nine billion dollars: in micro-dollars, still exact in a JSON number.
export const HIGHEST_CENTS = 900_000_000_000

const patterns = (description: string) =>
  Type.Unsafe<readonly string[] | null>({
    type: ['array', 'null'],
    maxItems: MOST_PATTERNS,
    items: { type: 'string', maxLength: LONGEST_PATTERN, pattern: PATTERN },
    description,
  })

export const policySettings = {
  allow: Type.Optional(
    patterns(
      'The only actions that the key may use, as patterns "service/action" in which * stands for any characters: "core/*", "*/search", "llm/core/cheap", "llm/openai/*". Null allows everything. core/result and core/cancel stay allowed for the key\'s own jobs.',
    ),
  ),
  deny: Type.Optional(
    patterns(
      'Actions that the key may not use, even if "allow" matches them. A denied model does not serve a tier either. Null denies nothing.',
    ),
  ),
  max_call_cents: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: HIGHEST_CENTS,
      description:
        'The most that one call may cost, as if each call sent this max_cost_cents; null for no limit.',
    }),
  ),
  expires_at: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 40,
      description:
        'When the key stops working (RFC 3339, in the future); null: it does not expire. Calls in progress finish.',
    }),
  ),
  rate_limit_per_minute: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: HIGHEST_RATE,
      description:
        "The most requests of the key in one minute of the clock, over all processes; null: only the gateway's own limit.",
    }),
  ),
  allowed_ips: Type.Optional(
    Type.Unsafe<readonly string[] | null>({
      type: ['array', 'null'],
      maxItems: MOST_ADDRESSES,
      items: { type: 'string', maxLength: LONGEST_ADDRESS },
      description:
        'The only client addresses that may use the key: IP addresses and networks such as "192.0.2.0/24". Null: any address.',
    }),
  ),
  breaker: Type.Optional(
    Type.Unsafe<Breaker>({
      enum: [...BREAKERS],
      description:
        'What happens when the key repeats itself. "off": nothing. "warn" (the default): answers contain "advice". "stop": also 409 loop_suspected, and the third stop within an hour pauses the key. Keys below cannot be milder.',
    }),
  ),
}

/** The policy settings of a request. Absent: unchanged; null: no restriction. */
export type PolicyInput = {
  readonly allow?: readonly string[] | null
  readonly deny?: readonly string[] | null
  readonly max_call_cents?: number | null
  readonly expires_at?: string | null
  readonly rate_limit_per_minute?: number | null
  readonly allowed_ips?: readonly string[] | null
  readonly breaker?: Breaker
}

type Columns = Readonly<Record<string, SqlValue | undefined>>

/** The columns of `keys` for these settings. Undefined leaves a column unchanged. */
export function keyColumnsOf(policy: PolicyInput): Columns {
  const { max_call_cents: maxCall } = policy
  return {
    allow: policy.allow,
    deny: policy.deny,
    max_call_micros: typeof maxCall === 'number' ? wholeCents(maxCall) : maxCall,
    rate_limit: policy.rate_limit_per_minute,
    allowed_ips: policy.allowed_ips,
    breaker: policy.breaker,
  }
}

/** The column `expires_ms` of `budgets`. */
export function expiryOf({ expires_at: text }: PolicyInput): number | null | undefined {
  return typeof text === 'string' ? parseTime(text) : text
}

/** Throws AppError invalid_params for an invalid address, and for an invalid or past expiry. */
export function checkPolicy(policy: PolicyInput, nowMs: number): void {
  const wrong = policy.allowed_ips?.findIndex((text) => !isAddressOrNetwork(text)) ?? -1
  if (wrong !== -1)
    throw new AppError(
      'invalid_params',
      `"${policy.allowed_ips?.[wrong]}" is not an IP address or network.`,
      {
        param: `allowed_ips[${wrong}]`,
        fix: 'Send addresses such as "192.0.2.7" or "2001:db8::1" and networks such as "192.0.2.0/24".',
      },
    )
  const expiresMs = expiryOf(policy)
  if (typeof policy.expires_at !== 'string' || (expiresMs != null && expiresMs > nowMs)) return
  throw new AppError(
    'invalid_params',
    expiresMs == null
      ? `"${policy.expires_at}" is not an RFC 3339 time.`
      : 'expires_at has already passed.',
    {
      param: 'expires_at',
      fix:
        expiresMs == null
          ? 'Send a time such as "2027-01-31T00:00:00Z".'
          : 'Send a later time. To end the key now, pause or revoke it.',
    },
  )
}

/** The settings with `expires_at` in the form of key records. */
export function normalizePolicy<Input extends PolicyInput>(input: Input): Input {
  const expiresMs = expiryOf(input)
  return expiresMs == null ? input : { ...input, expires_at: toRfc3339(expiresMs) }
}
