import type { Caller } from '../../../../keys/caller.ts'
import type { KeyContext } from '../../../../keys/context.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { listKeys } from '../../../../keys/list-keys.ts'

/** As many keys are offered where what was typed fits several. */
export const KEYS_NAMED = 20

/** The keys that a visitor means by an id or a part of a name: one, several to choose from, or none. A whole name that one key has means that key. */
export async function keysNamed(
  context: Pick<KeyContext, 'database' | 'now'>,
  caller: Caller,
  text: string | undefined,
): Promise<readonly KeyRecord[]> {
  if (text === undefined) return []
  const { keys } = await listKeys(context, caller, {
    limit: KEYS_NAMED,
    cursor: null,
    mode: caller.mode,
    search: text.replaceAll('\0', ''),
  })
  const exact = keys.filter(({ id, label, external_id: externalId }) =>
    [id, label, externalId].includes(text),
  )
  return exact.length === 1 ? exact : keys
}
