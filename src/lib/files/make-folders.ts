import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes the folder, for this user alone, with those above it that are missing; gives the uppermost that it made. As
 * `mkdir` with `recursive`, which tries without end where the system says of a folder's parent that it is not there
 * although it is: in /proc.
 */
export async function makeFolders(path: string): Promise<string | undefined> {
  try {
    return await makeFolder(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  // Somebody else may have made the one above meanwhile.
  const uppermost = (await isFolder(dirname(path))) ? undefined : await makeFolders(dirname(path))
  const made = await makeFolder(path)
  return uppermost ?? made
}

async function makeFolder(path: string): Promise<string | undefined> {
  try {
    await mkdir(path, { mode: 0o700 })
    return path
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await isFolder(path))) return undefined
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code
}
