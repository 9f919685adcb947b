import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitDeps } from './git-deps.ts'
import { folderOf } from './repositories.ts'

// git holds locks for moments, and a push takes less than an hour. No branch name ends in ".lock", but
// one can begin with "tmp_", so unfinished packs are only those in the folder of objects.
const LEFTOVERS = [
  { pattern: /\.lock$/, afterMs: 10 * 60_000 },
  { pattern: /^objects\/(.*\/)?(tmp_|incoming-)[^/]*$/, afterMs: 60 * 60_000 },
] as const

/**
 * Deletes what killed git processes left in a repository. Locks would reject every later push to
 * their branch, and unfinished packs count towards the size.
 */
export async function removeLeftovers(deps: GitDeps, repoId: string): Promise<void> {
  const folder = folderOf(deps, repoId)
  for (const name of await readdir(folder, { recursive: true })) {
    const kind = LEFTOVERS.find(({ pattern }) => pattern.test(name))
    if (kind === undefined) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && found.mtimeMs < deps.now() - kind.afterMs)
      await rm(path, { recursive: true, force: true })
  }
}
