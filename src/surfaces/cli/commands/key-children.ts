import { allActions } from '../all-actions.ts'
import { createValidator } from '../../../catalog/validate/validate.ts'
import { AppError } from '../../../errors/app-error.ts'
import { NewChildBody, type NewChild } from '../../../keys/children/child-input.ts'
import { endChild } from '../../../keys/children/end-child.ts'
import { listChildren } from '../../../keys/children/list-children.ts'
import { mintChild } from '../../../keys/children/mint-child.ts'
import type { KeyDeps } from '../../../keys/key-deps.ts'
import { findKeyRow, type KeyRow } from '../../../keys/key-row.ts'
import { operatorOfKey } from '../../../keys/operator.ts'
import { requireKnownPatterns } from '../../../keys/policy/require-known-patterns.ts'
import { parsePublicId } from '../../../lib/ids.ts'
import { UsageError, type Command } from '../command.ts'
import { readWholeNumber } from '../read-value.ts'
import { childSettingFlags, readKeySettings } from './key-flags.ts'
import { keyOperand, listOfKeys, openKeys, readAllKeys, reportNewKey } from './key-reports.ts'

const parentOperand = { value: '<parent>', about: 'ID of the key above (agk_…)' } as const

export const keysMint: Command = {
  name: 'keys mint',
  summary:
    'create a child key, which spends from the limit of its parent; its secret is shown once',
  operand: parentOperand,
  flags: {
    ...childSettingFlags,
    minutes: { value: '<minutes>', about: 'how long the key works, instead of --expires' },
  },
  example: './tollgate keys mint agk_0192… --label summariser --ceiling-cents 50 --minutes 20',
  async run({ flags, operand }, tools) {
    const { minutes } = flags
    if (minutes !== undefined && flags['expires'] !== undefined)
      throw new UsageError('Use either --minutes or --expires.')
    const keys = await openKeys(tools)
    const wanted = {
      ...readKeySettings(flags, keys.now()),
      ...(minutes === undefined ? {} : { ttl_s: readWholeNumber('minutes', minutes) * 60 }),
    }
    const input = createValidator().validate(NewChildBody, wanted) as NewChild
    requireKnownPatterns(input, await allActions(tools))
    const parent = await readKey(keys, operand)
    if (!parent.may_mint && !parent.is_primary)
      throw new AppError('key_cannot_mint_keys', 'This key may not create child keys.', {
        fix: `Run "./tollgate keys set ${operand} --may-mint yes" first.`,
      })
    return reportNewKey(
      await mintChild(
        keys,
        {
          accountId: parent.account_id,
          mode: parent.mode,
          keyId: parent.id,
          ancestorIds: parent.ancestors,
        },
        input,
      ),
    )
  },
}

export const keysChildren: Command = {
  name: 'keys children',
  summary: 'list the child keys of a key and their spending',
  operand: parentOperand,
  flags: {},
  example: './tollgate keys children agk_0192…',
  async run({ operand }, tools) {
    const keys = await openKeys(tools)
    const { id: keyId } = await readKey(keys, operand)
    const all = await readAllKeys((page) => listChildren(keys, { keyId }, page))
    return { data: all, text: all.length === 0 ? 'No child keys.' : listOfKeys(all) }
  },
}

export const keysEnd: Command = {
  name: 'keys end',
  summary: 'permanently end a child key and all keys below it',
  operand: keyOperand,
  flags: {},
  example: './tollgate keys end agk_0192…',
  async run({ operand }, tools) {
    const keys = await openKeys(tools)
    const { parent_id: parentId } = await readKey(keys, operand)
    if (parentId === null)
      throw new AppError('unknown_key', 'This key has no key above it.', {
        fix: `Run "./tollgate keys revoke ${operand}" to end it and all keys below it.`,
      })
    const ended = await endChild(keys, { keyId: parentId }, operand)
    return {
      data: ended,
      text: `${ended.id} (${ended.label ?? ended.key_prefix}) is ${ended.status}.`,
    }
  },
}

/** Throws AppError unknown_key. */
async function readKey(keys: KeyDeps, id: string): Promise<KeyRow> {
  const actor = await operatorOfKey(keys.database, id)
  const row = await findKeyRow(keys.database, actor, parsePublicId('key', id) ?? '')
  if (row === null) throw new AppError('unknown_key')
  return row
}
