import { hasOwnFiles, type Own } from '../../../app/wiring/own/read-own.ts'
import { readAccepted } from '../../../app/wiring/own/own-catalog.ts'
import { faultText } from '../../../catalog/own/read-folder.ts'
import type { Tools } from '../command.ts'
import { broken, ok, warning, type Check } from './check.ts'

const NAME = 'own actions'

/** Reports faults in the files of own actions, and whether the processes use these files. */
export async function checkOwnActions(
  tools: Tools,
  { folder, hash, faults }: Own,
): Promise<Check[]> {
  const [fault] = faults
  if (fault !== undefined)
    return [
      broken(
        NAME,
        `${faultText(fault)}${faults.length > 1 ? ` and ${faults.length - 1} more` : ''}`,
        'See "./tollgate actions check". A running gateway keeps the former actions; a start fails.',
      ),
    ]
  const accepted = await tools
    .database()
    .then(readAccepted)
    .catch(() => null)
  if (!hasOwnFiles(tools.config()) && (accepted ?? '') === '') return []
  const actions = folder.files.reduce((sum, file) => sum + file.actions.length, 0)
  const found = `${folder.files.length} services, ${actions} actions (${hash.slice(0, 12) || 'none'})`
  return accepted === null || accepted === hash
    ? [ok(NAME, found)]
    : [
        warning(
          NAME,
          `${found}; the gateway accepted other files (${accepted.slice(0, 12) || 'none'})`,
          'Give all machines the same files, then run "./tollgate actions reload".',
        ),
      ]
}
