/** The settings of a key as flags: the same as those of the operator's commands. */
import type { Flags } from '../flags.ts'
import type { FlagValues } from '../input/read-words.ts'
import { UsageError } from '../usage-error.ts'

type Setting = {
  readonly field: string
  readonly value: string
  readonly about: string
  readonly read: (text: string, flag: string) => unknown
}

const DAY_MS = 86_400_000
const asText = (text: string): string => text
const asList = (text: string): readonly string[] =>
  text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))

function asWhole(text: string, flag: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--${flag} must be a whole number, not "${text}".`)
}

/** "90d" counts from now. The gateway checks other times. */
function asMoment(text: string): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  if (days !== undefined) return new Date(Date.now() + Number(days) * DAY_MS).toISOString()
  return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text
}

function asYesOrNo(text: string, flag: string): boolean {
  if (['yes', 'no'].includes(text)) return text === 'yes'
  throw new UsageError(`--${flag} must be yes or no, not "${text}".`)
}

export const KEY_SETTINGS: Readonly<Record<string, Setting>> = {
  label: { field: 'label', value: '<text>', about: 'display name', read: asText },
  'external-id': {
    field: 'external_id',
    value: '<text>',
    about: 'your ID for the user of the key',
    read: asText,
  },
  'ceiling-cents': {
    field: 'ceiling_cents',
    value: '<cents>',
    about: 'spending limit per period, in cents',
    read: asWhole,
  },
  'ceiling-period': {
    field: 'ceiling_period',
    value: '<period>',
    about: 'day, week, month or total; default: month',
    read: asText,
  },
  scope: {
    field: 'scope',
    value: '<scope>',
    about: 'own: only its own data; account: all data of the account; default: own',
    read: asText,
  },
  allow: {
    field: 'allow',
    value: '<patterns>',
    about: 'the only actions, such as "core/*,llm/core/cheap"',
    read: asList,
  },
  deny: {
    field: 'deny',
    value: '<patterns>',
    about: 'actions that the key may not use',
    read: asList,
  },
  'max-call-cents': {
    field: 'max_call_cents',
    value: '<cents>',
    about: 'the most that one call may cost',
    read: asWhole,
  },
  expires: {
    field: 'expires_at',
    value: '<when>',
    about: '90d, a date or an RFC 3339 time',
    read: asMoment,
  },
  'rate-limit': {
    field: 'rate_limit_per_minute',
    value: '<count>',
    about: 'requests per minute',
    read: asWhole,
  },
  'allowed-ips': {
    field: 'allowed_ips',
    value: '<networks>',
    about: 'the only client addresses',
    read: asList,
  },
  breaker: {
    field: 'breaker',
    value: '<setting>',
    about: 'for a key that repeats itself: off, warn or stop',
    read: asText,
  },
  'may-mint': {
    field: 'may_mint',
    value: '<yes|no>',
    about: 'whether the key may create child keys',
    read: asYesOrNo,
  },
}

export const KEY_SETTING_FLAGS: Flags = Object.fromEntries(
  Object.entries(KEY_SETTINGS).map(([flag, { value, about }]) => [flag, { value, about }]),
)

/** The fields of the request; "none" removes a setting. Throws UsageError. */
export function readKeySettings(flags: FlagValues): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(KEY_SETTINGS).flatMap(([flag, { field, read }]) => {
      const text = flags[flag]?.[0]
      if (text === undefined) return []
      return [[field, text === 'none' ? null : read(text, flag)]]
    }),
  )
}
