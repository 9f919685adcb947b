import { constants } from 'node:fs'
import { access, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from './machine.ts'
import { probe } from './probe.ts'

/** What keeps this process from writing there, or from reaching what lies there; null for nothing. What is not there yet is made by the first upload. */
export async function flawOf(folder: string): Promise<string | null> {
  const objects = join(folder, 'objects')
  for (const place of [folder, join(folder, 'incoming'), objects]) {
    const flaw = await flawOfFolder(place)
    if (flaw !== null) return flaw
  }
  for (const name of await readdir(objects).catch(() => [])) {
    const flaw = await access(
      join(objects, name),
      constants.R_OK | constants.W_OK | constants.X_OK,
    ).then(() => null, codeOf)
    if (flaw !== null) return `${join(objects, name)} cannot be used (${flaw})`
  }
  return null
}

async function flawOfFolder(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`
    await probe(folder)
    return null
  } catch (error) {
    const code = codeOf(error)
    return code === 'ENOENT' && !(await isThere(folder))
      ? null
      : `${folder} cannot be written to (${code})`
  }
}

/** Also of a link that leads nowhere. */
function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? messageOf(error)
}
