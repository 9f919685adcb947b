import { statSync } from 'node:fs'

/** The id of the user who owns `path`, if it differs from the user of this process. Null otherwise, and when the path does not exist. */
export function otherOwnerOf(path: string, ownId = process.getuid?.()): number | null {
  const ownerId = statSync(path, { throwIfNoEntry: false })?.uid
  return ownerId === undefined || ownId === undefined || ownerId === ownId ? null : ownerId
}
