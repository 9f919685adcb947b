import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder, accessible only to this user, with its missing parents. Returns the topmost
 * folder that it created. Node's recursive `mkdir` loops forever in /proc, where the system reports
 * an existing parent as missing.
 */
export async function makeFolders(path: string): Promise<string | undefined> {
  try {
    return await makeFolder(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  // Another process may have created the parent meanwhile.
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
