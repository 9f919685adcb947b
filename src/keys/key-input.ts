/** What callers and operators may send about keys. */
import { Type, type Static } from 'typebox'
import type { Mode } from '../lib/mode.ts'
import { SCOPES, type Scope } from '../lib/owner.ts'
import { PERIOD_NAMES, type PeriodName } from './key-fields.ts'
import { LONGEST_GRACE_SECONDS } from './rotate-key.ts'

export const LONGEST_LABEL = 100
export const LONGEST_EXTERNAL_ID = 255
// Nine billion dollars: as micro-dollars still exact in a JSON number.
const HIGHEST_CEILING_CENTS = 900_000_000_000
const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u001f\\u007f]*$'

const nullableText = (maxLength: number, description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: 1,
    maxLength,
    pattern: NO_CONTROL_CHARACTERS,
    description,
  })

/** What is set about a key: create takes these, patch changes them, and the form of /keys carries all of them at once. */
const settings = {
  label: Type.Optional(
    nullableText(LONGEST_LABEL, 'A name for people, such as the environment that uses the key.'),
  ),
  external_id: Type.Optional(
    nullableText(
      LONGEST_EXTERNAL_ID,
      "Your own id for the key's user; it is on every transaction of the key.",
    ),
  ),
  ceiling_cents: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: HIGHEST_CEILING_CENTS,
      description: 'The most that the key may spend in a window; null for no ceiling.',
    }),
  ),
  ceiling_period: Type.Optional(
    Type.Unsafe<PeriodName | null>({
      enum: [...PERIOD_NAMES, null],
      description: 'The window: from 00:00 UTC, from Monday, or from the first of the month.',
    }),
  ),
  scope: Type.Optional(
    Type.Unsafe<Scope>({
      enum: [...SCOPES],
      description:
        '"own": the key sees and touches only what it made itself. "account": everything of the account. A new key has "own" when left out; a primary key always has "account".',
    }),
  ),
}

const strict = { additionalProperties: false }

export type KeySetting = keyof typeof settings
export const KEY_SETTINGS = Object.keys(settings) as readonly KeySetting[]

/** `mode` left out is that of the calling key. */
export type NewKey = Readonly<Static<typeof NewKeyBody>>
export const NewKeyBody = Type.Object(
  {
    ...settings,
    mode: Type.Optional(
      Type.Unsafe<Mode>({
        enum: ['live', 'test'],
        description: 'That of the calling key when left out.',
      }),
    ),
  },
  strict,
)

/** A merge patch: what is absent stays, null removes. */
export type KeyPatch = Readonly<Static<typeof KeyPatchBody>>
export const KeyPatchBody = Type.Object(
  {
    ...settings,
    paused: Type.Optional(Type.Boolean({ description: 'A paused key is refused paid calls.' })),
    former_key_valid_until: Type.Optional(
      Type.Null({
        description:
          'Null ends the former secret at once, which would work for a while after a rotation.',
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
        description: 'How long the former secret still works; 0 when left out.',
      }),
    ),
  },
  strict,
)
