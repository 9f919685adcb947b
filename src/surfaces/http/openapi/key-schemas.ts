/** JSON Schemas of keys. */
import type { Ancestor } from '../../../keys/describe-key.ts'
import type { KeyRecord } from '../../../keys/key-record.ts'
import { BREAKERS } from '../../../keys/policy/breaker.ts'
import { SCOPES } from '../../../lib/owner.ts'
import {
  amount,
  amountOrNull,
  amounts,
  listOrNull,
  mode,
  record,
  textOrNull,
  time,
  timeOrNull,
  type FieldsOf,
} from './schema-parts.ts'

const keyFields: FieldsOf<KeyRecord> = {
  id: { type: 'string', pattern: '^agk_' },
  label: textOrNull,
  external_id: textOrNull,
  mode,
  status: { enum: ['active', 'paused', 'expired', 'revoked'] },
  primary: { type: 'boolean', description: 'Only the primary key can change keys.' },
  scope: {
    enum: [...SCOPES],
    description:
      '"own": the key reads and changes only its own data; "account": all data of its account.',
  },
  key_prefix: {
    type: 'string',
    description: 'The first characters of the secret, for recognition.',
  },
  former_key_valid_until: {
    ...timeOrNull,
    description: 'When the former secret expires after a rotation; null: it is not valid.',
  },
  ceiling_cents: { ...amountOrNull, description: 'The spending limit per period; null: no limit.' },
  ceiling_period: { enum: ['day', 'week', 'month', 'total'] },
  allow: {
    ...listOrNull,
    description: 'Patterns of the only actions that the key may use; null: every action.',
  },
  deny: { ...listOrNull, description: 'Patterns of actions that the key may not use.' },
  max_call_cents: { ...amountOrNull, description: 'The most that one call may cost.' },
  expires_at: { ...timeOrNull, description: 'When the key stops working; null: never.' },
  rate_limit_per_minute: {
    ...amountOrNull,
    description: 'The most requests in one minute of the clock, over all processes.',
  },
  allowed_ips: {
    ...listOrNull,
    description: 'The only client addresses and networks that may use the key; null: any.',
  },
  breaker: {
    enum: [...BREAKERS],
    description:
      'What happens when the key repeats itself. A stricter setting of a key above applies instead.',
  },
  may_mint: { type: 'boolean', description: 'The key may create child keys.' },
  parent_id: {
    ...textOrNull,
    description: 'The key above, from whose limit the key spends, too; null: none.',
  },
  client_id: {
    ...textOrNull,
    description:
      'The OAuth client to which the account holder granted the key: the URL of its metadata, or the id of its registration; null: none.',
  },
  member_id: {
    ...textOrNull,
    description: 'The member (mem_…) that the key belongs to; null: the account as a whole.',
  },
  depth: { type: 'integer', description: 'The number of keys above it.' },
  ...amounts('spent', {
    ...amount,
    description: 'Spent in the current period, by the key and all keys below it.',
  }),
  ...amounts('held', { ...amount, description: 'Held by calls in progress.' }),
  ...amounts('remaining', {
    ...amountOrNull,
    description: 'Remaining limit in the current period; null: no limit.',
  }),
  window_started_at: time,
  window_resets_at: { ...timeOrNull, description: 'Null for a limit that never resets.' },
  last_used_at: timeOrNull,
  created_at: time,
}

const {
  id,
  status,
  ceiling_cents,
  ceiling_period,
  remaining_micros,
  window_resets_at,
  allow,
  deny,
  max_call_cents,
  expires_at,
  rate_limit_per_minute,
  allowed_ips,
  breaker,
} = keyFields
const ancestorFields: FieldsOf<Ancestor> = {
  id,
  status,
  ceiling_cents,
  ceiling_period,
  remaining_micros,
  window_resets_at,
  allow,
  deny,
  max_call_cents,
  expires_at,
  rate_limit_per_minute,
  allowed_ips,
  breaker,
}

const secret = {
  key: {
    type: 'string',
    pattern: '^tg_(live|test)_',
    description: 'The secret. No other response contains it.',
  },
}

export const keySchemas = {
  Key: record(keyFields),
  OwnKey: record({
    ...keyFields,
    ...amounts('spendable', {
      ...amount,
      description:
        'The least of the remaining limits of the key and the keys above it, and the available credit; 0 while one of the keys is paused.',
    }),
    bound_by: {
      enum: ['key', 'parent', 'balance'],
      description: 'The limit that spendable comes from.',
    },
    bound_by_key_id: { ...textOrNull, description: 'The key with that limit; null: the balance.' },
    ancestors: {
      type: 'array',
      description: 'The keys above, the topmost first, with the settings that bind this key, too.',
      items: record(ancestorFields),
    },
  }),
  KeyWithSecret: record({ ...keyFields, ...secret }),
}
