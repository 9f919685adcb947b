import { findAccount } from '../../../accounts/find-account.ts'
import { allActions } from '../all-actions.ts'
import { createValidator } from '../../../catalog/validate/validate.ts'
import { createKey } from '../../../keys/create-key.ts'
import type { Actor } from '../../../keys/caller.ts'
import type { KeyDeps } from '../../../keys/key-deps.ts'
import { KeyPatchBody, NewKeyBody, type KeyPatch, type NewKey } from '../../../keys/key-input.ts'
import type { KeyRecord } from '../../../keys/key-record.ts'
import { listKeys } from '../../../keys/list-keys.ts'
import { operatorOf, operatorOfKey } from '../../../keys/operator.ts'
import { requireKnownPatterns } from '../../../keys/policy/require-known-patterns.ts'
import { revokeKey } from '../../../keys/revoke-key.ts'
import { LONGEST_GRACE_SECONDS, rotateKey } from '../../../keys/rotate-key.ts'
import { updateKey } from '../../../keys/update-key.ts'
import { UsageError, type Command } from '../command.ts'
import { readChoice, readWholeNumber } from '../read-value.ts'
import { facts } from '../show.ts'
import { keySettingFlags, readKeySettings, settingFacts } from './key-flags.ts'
import { keyOperand, listOfKeys, openKeys, readAllKeys, reportNewKey } from './key-reports.ts'

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
    ...keySettingFlags,
    mode: { value: '<mode>', about: 'live or test; default: live' },
  },
  example:
    './tollgate keys create --account jo@example.com --label ci --ceiling-cents 500 --ceiling-period day',
  async run({ flags }, tools) {
    const keys = await openKeys(tools)
    const wanted = {
      ...readKeySettings(flags, keys.now()),
      mode: readChoice('mode', flags['mode'], ['live', 'test'], 'live'),
    }
    const input = createValidator().validate(NewKeyBody, wanted) as NewKey
    requireKnownPatterns(input, await allActions(tools))
    const { accountId } = await findAccount(keys.database, flags['account'] ?? '')
    return reportNewKey(await createKey(keys, operatorOf(accountId), input))
  },
}

export const keysList: Command = {
  name: 'keys list',
  summary: 'list the keys of an account and their spending',
  flags: { account: accountFlag },
  example: './tollgate keys list --account jo@example.com',
  async run({ flags }, tools) {
    const keys = await openKeys(tools)
    const { accountId } = await findAccount(keys.database, flags['account'] ?? '')
    const all = await readAllKeys((page) => listKeys(keys, operatorOf(accountId), page))
    return { data: all, text: listOfKeys(all) }
  },
}

export const keysSet: Command = {
  name: 'keys set',
  summary: 'change the settings of a key',
  operand: keyOperand,
  flags: {
    ...keySettingFlags,
    'former-key': {
      value: 'none',
      about: 'ends the former secret of a rotated key immediately',
    },
  },
  example: './tollgate keys set agk_0192… --allow "core/*,llm/core/cheap" --max-call-cents 20',
  async run({ flags, operand }, tools) {
    const keys = await openKeys(tools)
    const former = flags['former-key']
    if (former !== undefined && former !== 'none')
      throw new UsageError(`Use --former-key none, not "${former}".`)
    const wanted = {
      ...readKeySettings(flags, keys.now()),
      ...(former === undefined ? {} : { former_key_valid_until: null }),
    }
    if (Object.keys(wanted).length === 0)
      throw new UsageError('Name at least one setting, such as --allow "core/*".')
    const patch = createValidator().validate(KeyPatchBody, wanted) as KeyPatch
    requireKnownPatterns(patch, await allActions(tools))
    const actor = await operatorOfKey(keys.database, operand)
    const changed = await updateKey(keys, actor, operand, patch)
    return { data: changed, text: facts([['id', changed.id], ...settingFacts(changed)]) }
  },
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
  operand: keyOperand,
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
    const keys = await openKeys(tools)
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
    operand: keyOperand,
    flags: {},
    example: `./tollgate keys ${verb} agk_0192…`,
    async run({ operand }, tools) {
      const keys = await openKeys(tools)
      const record = await work(keys, await operatorOfKey(keys.database, operand), operand)
      return {
        data: record,
        text: `${record.id} (${record.label ?? record.key_prefix}) is ${record.status}.`,
      }
    },
  }
}
