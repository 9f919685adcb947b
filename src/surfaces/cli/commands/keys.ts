import { findAccount } from '../../../accounts/find-account.ts'
import { createCatalog } from '../../../catalog/index.ts'
import { createValidator } from '../../../catalog/validate/validate.ts'
import { createKey } from '../../../keys/create-key.ts'
import type { Actor } from '../../../keys/caller.ts'
import type { KeyDeps } from '../../../keys/key-deps.ts'
import { KeyPatchBody, NewKeyBody, type KeyPatch, type NewKey } from '../../../keys/key-input.ts'
import { DEFAULT_PERIOD, DEFAULT_SCOPE, PERIOD_NAMES } from '../../../keys/key-fields.ts'
import type { KeyRecord } from '../../../keys/key-record.ts'
import { listKeys } from '../../../keys/list-keys.ts'
import { operatorOf, operatorOfKey } from '../../../keys/operator.ts'
import { requireKnownPatterns } from '../../../keys/policy/require-known-patterns.ts'
import { revokeKey } from '../../../keys/revoke-key.ts'
import { LONGEST_GRACE_SECONDS, rotateKey } from '../../../keys/rotate-key.ts'
import { updateKey } from '../../../keys/update-key.ts'
import { formatDollars, wholeCents } from '../../../lib/money.ts'
import { SCOPES } from '../../../lib/owner.ts'
import { UsageError, type Command, type Tools } from '../command.ts'
import { readChoice, readWholeNumber } from '../read-value.ts'
import { columns, facts } from '../show.ts'
import { policyFacts, policyFlags, readPolicyFlags } from './key-policy-flags.ts'

const accountFlag = {
  value: '<account>',
  about: 'account ID (acc_…) or email address',
  required: true,
} as const

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'create a key; its secret is shown once',
  flags: {
    account: accountFlag,
    label: { value: '<text>', about: 'display name' },
    'external-id': { value: '<text>', about: "your ID for the key's user" },
    'ceiling-cents': { value: '<cents>', about: 'spending limit per period, in cents' },
    'ceiling-period': { value: '<period>', about: 'day, week, month or total; default: month' },
    ...policyFlags,
    mode: { value: '<mode>', about: 'live or test; default: live' },
    scope: {
      value: '<scope>',
      about: 'own: the key reads only its own data; account: all data of the account; default: own',
    },
  },
  example:
    './tollgate keys create --account jo@example.com --label ci --ceiling-cents 500 --ceiling-period day',
  async run({ flags }, tools) {
    const ceiling = flags['ceiling-cents']
    const keys = await keyContext(tools)
    const wanted = {
      label: flags['label'],
      external_id: flags['external-id'],
      ceiling_cents: ceiling === undefined ? undefined : readWholeNumber('ceiling-cents', ceiling),
      ceiling_period: readChoice(
        'ceiling-period',
        flags['ceiling-period'],
        PERIOD_NAMES,
        DEFAULT_PERIOD,
      ),
      ...readPolicyFlags(flags, keys.now()),
      mode: readChoice('mode', flags['mode'], ['live', 'test'], 'live'),
      scope: readChoice('scope', flags['scope'], SCOPES, DEFAULT_SCOPE),
    }
    const input = createValidator().validate(NewKeyBody, wanted) as NewKey
    requireKnownPatterns(input, createCatalog().allActions())
    const { accountId } = await findAccount(keys.database, flags['account'] ?? '')
    const created = await createKey(keys, operatorOf(accountId), input)
    return {
      data: created,
      text: `${facts([
        ['id', created.id],
        ['key', created.key],
        ['limit', limitOf(created)],
        ['scope', created.scope],
        ...policyFacts(created),
      ])}\n\nStore the key now; you won't see it again.`,
    }
  },
}

export const keysList: Command = {
  name: 'keys list',
  summary: 'list the keys of an account and their spending',
  flags: { account: accountFlag },
  example: './tollgate keys list --account jo@example.com',
  async run({ flags }, tools) {
    const keys = await keyContext(tools)
    const { accountId } = await findAccount(keys.database, flags['account'] ?? '')
    const all = await allKeys(keys, operatorOf(accountId))
    const rows = all.map((key) => [
      key.id,
      key.label ?? '',
      statusOf(key),
      `${key.key_prefix}…`,
      formatDollars(BigInt(key.spent_micros)),
      limitOf(key),
      key.scope,
      key.last_used_at === null ? 'never' : toTheMinute(key.last_used_at),
    ])
    return {
      data: all,
      text: columns(['id', 'label', 'status', 'key', 'spent', 'limit', 'scope', 'last used'], rows),
    }
  },
}

export const keysSet: Command = {
  name: 'keys set',
  summary: 'change the limit and restrictions of a key',
  operand: { value: '<key>', about: 'key ID (agk_…)' },
  flags: {
    'ceiling-cents': { value: '<cents>', about: 'spending limit per period, or "none"' },
    'ceiling-period': { value: '<period>', about: 'day, week, month or total' },
    ...policyFlags,
  },
  example: './tollgate keys set agk_0192… --allow "core/*,llm/core/cheap" --max-call-cents 20',
  async run({ flags, operand }, tools) {
    const keys = await keyContext(tools)
    const wanted = { ...readLimitFlags(flags), ...readPolicyFlags(flags, keys.now()) }
    if (Object.values(wanted).every((value) => value === undefined))
      throw new UsageError('Name at least one restriction, such as --allow "core/*".')
    const patch = createValidator().validate(KeyPatchBody, wanted) as KeyPatch
    requireKnownPatterns(patch, createCatalog().allActions())
    const actor = await operatorOfKey(keys.database, operand)
    const changed = await updateKey(keys, actor, operand, patch)
    return {
      data: changed,
      text: facts([['id', changed.id], ['limit', limitOf(changed)], ...policyFacts(changed)]),
    }
  },
}

function readLimitFlags({
  'ceiling-cents': ceiling,
  'ceiling-period': period,
}: Readonly<Record<string, string | undefined>>): Pick<
  KeyPatch,
  'ceiling_cents' | 'ceiling_period'
> {
  return {
    ...(ceiling === undefined
      ? {}
      : {
          ceiling_cents: ceiling === 'none' ? null : readWholeNumber('ceiling-cents', ceiling),
        }),
    ...(period === undefined
      ? {}
      : { ceiling_period: readChoice('ceiling-period', period, PERIOD_NAMES, DEFAULT_PERIOD) }),
  }
}

export const keysPause = change(
  'pause',
  'reject paid calls of a key until it is resumed; the holder can resume it, too',
  (keys, actor, id) => updateKey(keys, actor, id, { paused: true }),
)
export const keysResume = change(
  'resume',
  'allow paid calls of a paused key again',
  (keys, actor, id) => updateKey(keys, actor, id, { paused: false }),
)
export const keysRevoke = change('revoke', 'permanently end a key', revokeKey)

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'replace the secret of a key, for example of a lost primary key',
  operand: { value: '<key>', about: 'key ID (agk_…)' },
  flags: {
    'grace-seconds': {
      value: '<seconds>',
      about: 'how long the former secret stays valid; default: 0',
    },
  },
  example: './tollgate keys rotate agk_0192… --grace-seconds 3600',
  async run({ flags, operand }, tools) {
    const graceSeconds = readWholeNumber('grace-seconds', flags['grace-seconds'] ?? '0')
    if (graceSeconds > LONGEST_GRACE_SECONDS)
      throw new UsageError(`--grace-seconds must be at most ${LONGEST_GRACE_SECONDS} (seven days).`)
    const keys = await keyContext(tools)
    const rotated = await rotateKey(keys, await operatorOfKey(keys.database, operand), operand, {
      graceSeconds,
    })
    return {
      data: rotated,
      text: `${facts([
        ['id', rotated.id],
        ['key', rotated.key],
        [
          'former key',
          rotated.former_key_valid_until === null
            ? 'no longer valid'
            : `valid until ${rotated.former_key_valid_until}`,
        ],
      ])}\n\nStore the key now; you won't see it again.`,
    }
  },
}

function change(
  verb: string,
  summary: string,
  work: (keys: KeyDeps, actor: Actor, id: string) => Promise<KeyRecord>,
): Command {
  return {
    name: `keys ${verb}`,
    summary,
    operand: { value: '<key>', about: 'key ID (agk_…)' },
    flags: {},
    example: `./tollgate keys ${verb} agk_0192…`,
    async run({ operand }, tools) {
      const keys = await keyContext(tools)
      const record = await work(keys, await operatorOfKey(keys.database, operand), operand)
      return {
        data: record,
        text: `${record.id} (${record.label ?? record.key_prefix}) is ${record.status}.`,
      }
    },
  }
}

// The database notifies running gateways of a change. This process caches no keys.
async function keyContext(tools: Tools): Promise<KeyDeps> {
  const database = await tools.database()
  return { database, now: tools.now, forget: () => {} }
}

async function allKeys(keys: KeyDeps, actor: Actor): Promise<KeyRecord[]> {
  const all: KeyRecord[] = []
  for (let cursor: string | null = null, more = true; more;) {
    const page = await listKeys(keys, actor, { limit: 100, cursor })
    all.push(...page.keys)
    cursor = page.nextCursor
    more = cursor !== null
  }
  return all
}

function statusOf({ status, primary, former_key_valid_until: until }: KeyRecord): string {
  return [
    status,
    ...(primary ? ['primary'] : []),
    ...(until === null ? [] : [`former secret until ${toTheMinute(until)}`]),
  ].join(', ')
}

/** Removes the seconds of a time in UTC. */
function toTheMinute(time: string): string {
  return time.slice(0, 16)
}

function limitOf({ ceiling_cents: ceiling, ceiling_period: period }: KeyRecord): string {
  return ceiling === null ? 'none' : `${formatDollars(wholeCents(ceiling))} per ${period}`
}
