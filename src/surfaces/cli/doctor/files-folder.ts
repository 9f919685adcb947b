import { constants } from 'node:fs'
import { access, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from './machine.ts'
import { probe } from './probe.ts'

/**
 * Returns why this process cannot write to the folder or read its objects, or null. Folders that do
 * not exist yet are fine: the first upload creates them.
 */
export async function findFolderProblem(folder: string): Promise<string | null> {
  const objects = join(folder, 'objects')
  for (const place of [folder, join(folder, 'incoming'), objects]) {
    const problem = await probeFolder(place)
    if (problem !== null) return problem
  }
  for (const name of await readdir(objects).catch(() => [])) {
    const code = await access(
      join(objects, name),
      constants.R_OK | constants.W_OK | constants.X_OK,
    ).then(() => null, codeOf)
    if (code !== null) return `${join(objects, name)} is not accessible (${code})`
  }
  return null
}

async function probeFolder(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`
    await probe(folder)
    return null
  } catch (error) {
    const code = codeOf(error)
    return code === 'ENOENT' && !(await exists(folder))
      ? null
      : `${folder} is not writable (${code})`
  }
}

/** True for a dangling link, too. */
function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? messageOf(error)
}
