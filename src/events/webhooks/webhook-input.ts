/** The schemas of webhook requests. */
import { Type, type Static } from '../../lib/schema.ts'
import { EVENT_PATTERNS } from '../event-types.ts'
import { SIGNATURES, type Signature } from './secrets.ts'

export const FORMATS = ['json', 'slack', 'email'] as const
export type Format = (typeof FORMATS)[number]

export const LONGEST_URL = 2_048
const LONGEST_LABEL = 100
const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u001f\\u007f]*$'
/** Seven days. */
export const LONGEST_GRACE_SECONDS = 604_800
export const USUAL_GRACE_SECONDS = 86_400

const strict = { additionalProperties: false }

const events = Type.Array(Type.Unsafe<string>({ enum: [...EVENT_PATTERNS] }), {
  minItems: 1,
  maxItems: EVENT_PATTERNS.length,
  description: 'Types of events, and patterns such as "job.*" or "*".',
})
const label = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: 1,
    maxLength: LONGEST_LABEL,
    pattern: NO_CONTROL_CHARACTERS,
    description: 'A name for people.',
  }),
)
const url = Type.String({
  minLength: 1,
  maxLength: LONGEST_URL,
  description:
    'A public web address that accepts POST. Redirects are not followed. Use https, because events are signed and not encrypted.',
})

export type NewWebhook = Readonly<Static<typeof NewWebhookBody>>
export const NewWebhookBody = Type.Object(
  {
    url: Type.Optional(url),
    events,
    format: Type.Optional(
      Type.Unsafe<Format>({
        enum: [...FORMATS],
        description:
          '"json" (default): the event. "slack": a text for a Slack incoming webhook. "email": to the address of the account, without a url; not for job events.',
      }),
    ),
    signature: Type.Optional(
      Type.Unsafe<Signature>({
        enum: [...SIGNATURES],
        description:
          '"v1" (default): HMAC-SHA256 with a shared secret. "v1a": Ed25519; you get the public key.',
      }),
    ),
    secret: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 120,
        description:
          'Your own secret for v1: "whsec_" and 24 to 64 bytes in base64. Null or absent: a new one.',
      }),
    ),
    label,
  },
  strict,
)

/** A merge patch: absent fields do not change. */
export type WebhookPatch = Readonly<Static<typeof WebhookPatchBody>>
export const WebhookPatchBody = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    label,
    status: Type.Optional(
      Type.Unsafe<'active' | 'disabled'>({
        enum: ['active', 'disabled'],
        description: 'A disabled webhook receives nothing. Events in between are not sent later.',
      }),
    ),
  },
  strict,
)

export const RotateSecretBody = Type.Object(
  {
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_GRACE_SECONDS,
        description:
          'How long deliveries also carry a signature by the former secret. Default: one day.',
      }),
    ),
  },
  strict,
)

export type Redelivery = Readonly<Static<typeof RedeliverBody>>
export const RedeliverBody = Type.Object(
  {
    event_id: Type.Optional(Type.String({ description: 'One event (evt_…).' })),
    since: Type.Optional(
      Type.String({ description: 'All matching events from this RFC 3339 time…' }),
    ),
    until: Type.Optional(Type.String({ description: '…to this one (exclusive). Default: now.' })),
  },
  strict,
)
