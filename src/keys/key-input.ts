/** The schemas of key requests by callers and operators. */
import { Type, type Static } from '../lib/schema.ts'
import type { Mode } from '../lib/mode.ts'
import { SCOPES, type Scope } from '../lib/owner.ts'
import { PERIOD_NAMES, type PeriodName } from './key-fields.ts'
import { HIGHEST_CENTS, policySettings } from './policy/policy-input.ts'
import { LONGEST_GRACE_SECONDS } from './rotate-key.ts'

export const LONGEST_LABEL = 100
export const LONGEST_EXTERNAL_ID = 255
const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u001f\\u007f]*$'

const nullableText = (maxLength: number, description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: 1,
    maxLength,
    pattern: NO_CONTROL_CHARACTERS,
    description,
  })

/**
 * The settings of a key: create takes these, patch changes some, and the form on /keys sends all.
 */
export const keySettings = {
  label: Type.Optional(
    nullableText(LONGEST_LABEL, 'A name for people, such as the environment that uses the key.'),
  ),
  external_id: Type.Optional(
    nullableText(
      LONGEST_EXTERNAL_ID,
      "Your own id for the key's user. It is on every transaction of the key.",
    ),
  ),
  ceiling_cents: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: HIGHEST_CENTS,
      description: 'The spending limit of the key per period; null for no limit.',
    }),
  ),
  ceiling_period: Type.Optional(
    Type.Unsafe<PeriodName | null>({
      enum: [...PERIOD_NAMES, null],
      description:
        'The period of the limit: it resets at 00:00 UTC each day, on Monday, or on the first of the month. "total" never resets.',
    }),
  ),
  scope: Type.Optional(
    Type.Unsafe<Scope>({
      enum: [...SCOPES],
      description:
        '"own": the key sees and uses only what it created itself. "account": everything in the account. The default for new keys is "own"; a primary key always has "account".',
    }),
  ),
  ...policySettings,
  may_mint: Type.Optional(
    Type.Boolean({
      description:
        'The key may create child keys (POST /api/v1/agents/me/children), which spend from its limit.',
    }),
  ),
}

const strict = { additionalProperties: false }

export type KeySetting = keyof typeof keySettings
export const KEY_SETTINGS = Object.keys(keySettings) as readonly KeySetting[]

/** `mode` defaults to the mode of the calling key. */
export type NewKey = Readonly<Static<typeof NewKeyBody>>
export const NewKeyBody = Type.Object(
  {
    ...keySettings,
    mode: Type.Optional(
      Type.Unsafe<Mode>({
        enum: ['live', 'test'],
        description: 'Defaults to the mode of the calling key.',
      }),
    ),
  },
  strict,
)

/** A merge patch: absent fields do not change, and null removes a value. */
export type KeyPatch = Readonly<Static<typeof KeyPatchBody>>
export const KeyPatchBody = Type.Object(
  {
    ...keySettings,
    paused: Type.Optional(Type.Boolean({ description: 'A paused key cannot make paid calls.' })),
    former_key_valid_until: Type.Optional(
      Type.Null({
        description:
          'Null ends the former secret immediately. After a rotation it otherwise works for a while.',
      }),
    ),
  },
  strict,
)

export const RotateBody = Type.Object(
  {
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_GRACE_SECONDS,
        description: 'How long the former secret continues to work, in seconds. Defaults to 0.',
      }),
    ),
  },
  strict,
)
