/** The flags of a key's settings: one for each setting of the HTTP API. */
import { PERIOD_NAMES, DEFAULT_PERIOD, DEFAULT_SCOPE } from '../../../keys/key-fields.ts'
import type { KeySetting } from '../../../keys/key-input.ts'
import type { KeyRecord } from '../../../keys/key-record.ts'
import { BREAKERS, DEFAULT_BREAKER } from '../../../keys/policy/breaker.ts'
import { formatDollars, wholeCents } from '../../../lib/money.ts'
import { SCOPES } from '../../../lib/owner.ts'
import type { Flag, Input } from '../command.ts'
import { readChoice, readMoment, readWholeNumber } from '../read-value.ts'

type SettingFlag = Flag & {
  readonly flag: string
  /** Whether "none" removes the setting. */
  readonly isRemovable: boolean
  readonly read: (text: string, flag: string, nowMs: number) => unknown
}

const readList = (text: string): readonly string[] =>
  text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))

const SETTING_FLAGS: Readonly<Record<KeySetting, SettingFlag>> = {
  label: {
    flag: 'label',
    value: '<text>',
    about: 'display name, or "none"',
    isRemovable: true,
    read: (text) => text,
  },
  external_id: {
    flag: 'external-id',
    value: '<text>',
    about: 'your ID for the user of the key, or "none"',
    isRemovable: true,
    read: (text) => text,
  },
  ceiling_cents: {
    flag: 'ceiling-cents',
    value: '<cents>',
    about: 'spending limit per period, in cents, or "none"',
    isRemovable: true,
    read: (text, flag) => readWholeNumber(flag, text),
  },
  ceiling_period: {
    flag: 'ceiling-period',
    value: '<period>',
    about: 'day, week, month or total; new keys: month, child keys: total',
    isRemovable: false,
    read: (text, flag) => readChoice(flag, text, PERIOD_NAMES, DEFAULT_PERIOD),
  },
  scope: {
    flag: 'scope',
    value: '<scope>',
    about: 'own: the key reads only its own data; account: all data of the account; new keys: own',
    isRemovable: false,
    read: (text, flag) => readChoice(flag, text, SCOPES, DEFAULT_SCOPE),
  },
  allow: {
    flag: 'allow',
    value: '<patterns>',
    about: 'the only actions, such as "core/*,llm/core/cheap"; "none" removes the restriction',
    isRemovable: true,
    read: readList,
  },
  deny: {
    flag: 'deny',
    value: '<patterns>',
    about: 'actions that the key may not use; "none" for no patterns',
    isRemovable: true,
    read: readList,
  },
  max_call_cents: {
    flag: 'max-call-cents',
    value: '<cents>',
    about: 'the most that one call may cost, or "none"',
    isRemovable: true,
    read: (text, flag) => readWholeNumber(flag, text),
  },
  expires_at: {
    flag: 'expires',
    value: '<when>',
    about: '90d, a date or an RFC 3339 time, or "none"',
    isRemovable: true,
    read: (text, flag, nowMs) => readMoment(flag, text, nowMs).toISOString(),
  },
  rate_limit_per_minute: {
    flag: 'rate-limit',
    value: '<count>',
    about: 'requests per minute, or "none"',
    isRemovable: true,
    read: (text, flag) => readWholeNumber(flag, text),
  },
  allowed_ips: {
    flag: 'allowed-ips',
    value: '<networks>',
    about: 'the only client addresses, or "none"',
    isRemovable: true,
    read: readList,
  },
  breaker: {
    flag: 'breaker',
    value: '<setting>',
    about: 'for a key that repeats itself: off, warn or stop',
    isRemovable: false,
    read: (text, flag) => readChoice(flag, text, BREAKERS, DEFAULT_BREAKER),
  },
  may_mint: {
    flag: 'may-mint',
    value: '<yes|no>',
    about: 'whether the key may create child keys',
    isRemovable: false,
    read: (text, flag) => readChoice(flag, text, ['yes', 'no'], 'no') === 'yes',
  },
}

type Setting = readonly [name: KeySetting, flag: SettingFlag]

function flagsOf(settings: readonly Setting[]): Readonly<Record<string, Flag>> {
  return Object.fromEntries(settings.map(([, { flag, value, about }]) => [flag, { value, about }]))
}

const ALL = Object.entries(SETTING_FLAGS) as unknown as readonly Setting[]

export const keySettingFlags = flagsOf(ALL)
/** Without the setting that child keys cannot have at their creation. */
export const childSettingFlags = flagsOf(ALL.filter(([name]) => name !== 'may_mint'))

/** The settings of the flags that are present; "none" is null. Throws UsageError. */
export function readKeySettings(
  given: Input['flags'],
  nowMs: number,
): Readonly<Partial<Record<KeySetting, unknown>>> {
  return Object.fromEntries(
    ALL.flatMap(([name, { flag, isRemovable, read }]) => {
      const text = given[flag]
      if (text === undefined) return []
      return [[name, isRemovable && text === 'none' ? null : read(text, flag, nowMs)]]
    }),
  )
}

/** The limit of a key, for display. */
export function limitOf({ ceiling_cents: ceiling, ceiling_period: period }: KeyRecord): string {
  if (ceiling === null) return 'none'
  return `${formatDollars(wholeCents(ceiling))} ${period === 'total' ? 'in total' : `per ${period}`}`
}

/** The settings of a key, for display. */
export function settingFacts(key: KeyRecord): readonly (readonly [string, string])[] {
  const { max_call_cents: maxCall, rate_limit_per_minute: rate } = key
  const facts = [
    ['label', key.label],
    ['external id', key.external_id],
    ['limit', limitOf(key)],
    ['scope', key.scope],
    ['allow', key.allow?.join(', ')],
    ['deny', key.deny?.join(', ')],
    ['limit per call', maxCall === null ? null : formatDollars(wholeCents(maxCall))],
    ['expires', key.expires_at],
    ['rate limit', rate === null ? null : `${rate} requests per minute`],
    ['allowed ips', key.allowed_ips?.join(', ')],
    ['loop breaker', key.breaker === DEFAULT_BREAKER ? null : key.breaker],
    ['child keys', key.may_mint ? 'may create' : null],
  ] as const
  return facts.flatMap(([name, value]) => (value == null ? [] : [[name, value] as const]))
}
