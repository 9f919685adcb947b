/** The schemas of requests for child keys. */
import { Type, type Static } from '../../lib/schema.ts'
import { keySettings } from '../key-input.ts'

const LONGEST_TTL_S = 366 * 86_400

const { may_mint: _, ...settings } = keySettings

/** The settings of a child key. It has the mode of its parent. */
export type NewChild = Readonly<Static<typeof NewChildBody>>
export const NewChildBody = Type.Object(
  {
    ...settings,
    ttl_s: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LONGEST_TTL_S,
        description: 'Instead of expires_at: the key expires after this many seconds.',
      }),
    ),
  },
  { additionalProperties: false },
)
