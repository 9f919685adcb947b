import { statSync } from 'node:fs'

/** The id of the user to whom `path` belongs, where that is not the user of this process; null otherwise, and where nothing lies there. */
export function otherOwnerOf(path: string, ownId = process.getuid?.()): number | null {
  const ownerId = statSync(path, { throwIfNoEntry: false })?.uid
  return ownerId === undefined || ownId === undefined || ownerId === ownId ? null : ownerId
}
