import { AppError } from '../../../../errors/app-error.ts'
import type { Caller } from '../../../../keys/caller.ts'
import type { KeyDeps } from '../../../../keys/key-deps.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { listKeys } from '../../../../keys/list-keys.ts'

/** Most keys offered for an ambiguous name. */
const MOST_MATCHES = 20

/** Finds the keys that match an id or part of a name. If exactly one key has the full name, returns only that key. */
export async function findMatchingKeys(
  context: Pick<KeyDeps, 'database' | 'now'>,
  caller: Caller,
  text: string | undefined,
): Promise<readonly KeyRecord[]> {
  if (text === undefined) return []
  const { keys } = await listKeys(context, caller, {
    limit: MOST_MATCHES,
    cursor: null,
    mode: caller.mode,
    search: text.replaceAll('\0', ''),
  })
  const exact = keys.filter(({ id, label, external_id: externalId }) =>
    [id, label, externalId].includes(text),
  )
  return exact.length === 1 ? exact : keys
}

/** The error for a name that no key, or more than one key, has. */
export function ambiguousKey({ length }: readonly unknown[]): AppError {
  if (length === 0)
    return new AppError('invalid_params', 'No matching key.', {
      param: 'key',
      fix: 'Enter part of its label, its external ID, the beginning of its secret, or its ID.',
    })
  const many = length >= MOST_MATCHES ? `${MOST_MATCHES} or more` : length
  return new AppError('invalid_params', `${many} keys match.`, {
    param: 'key',
    fix: 'Choose one, or enter more of its name.',
  })
}
