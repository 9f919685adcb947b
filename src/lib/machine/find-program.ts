import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program in `searchPath`, the environment's PATH; null if it is not installed. */
export function findProgram(name: string, searchPath: string): string | null {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
