import { existsSync, realpathSync } from 'node:fs'

/** The real paths of `paths` that are below one of `folders`. A path that does not exist is compared as it is. */
export function realPathsBelow(folders: readonly string[], paths: readonly string[]): string[] {
  return paths
    .map((path) => (existsSync(path) ? realpathSync(path) : path))
    .filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)))
}
