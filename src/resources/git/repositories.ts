import { once } from 'node:events'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { makeFolders } from '../../lib/files/make-folders.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { GitDeps } from './git-deps.ts'
import { endGit, startGit } from './git-process.ts'

/** The service whose references name the account of a repository. */
const SERVICE = 'gitstore'
const REPOSITORY_ID = /^repo_[0-9a-f]{32}$/

export const BRANCH = 'main'

/** The bare repository of an id that `createRepository` returned. */
export function folderOf({ folder }: Pick<GitDeps, 'folder'>, repoId: string): string {
  return join(folder, `${repoId}.git`)
}

export function isRepositoryId(text: string): boolean {
  return REPOSITORY_ID.test(text)
}

/** Creates an empty bare repository and returns its id. It gets its name when it is complete. */
export async function createRepository(deps: GitDeps, signal: AbortSignal): Promise<string> {
  const repoId = `repo_${newId(deps.now())}`
  const target = folderOf(deps, repoId)
  const draft = `${target}.unfinished`
  await makeFolders(draft)
  try {
    await initialize(deps, draft, signal)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
  return repoId
}

async function initialize(deps: GitDeps, folder: string, signal: AbortSignal): Promise<void> {
  const child = startGit({
    program: deps.program,
    args: ['init', '--quiet', '--bare', '--template=', `--initial-branch=${BRANCH}`],
    folder,
  })
  const end = (): void => endGit(child)
  signal.addEventListener('abort', end, { once: true })
  try {
    const log: string[] = []
    child.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text.slice(0, 1_000)))
    child.stdin.end()
    child.stdout.resume()
    const [code] = (await once(child, 'close')) as [number | null]
    signal.throwIfAborted()
    if (code !== 0)
      throw new AppError('internal', 'The repository could not be created. Nothing was charged.', {
        cause: log.join('').slice(0, 1_000),
      })
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** The account of a repository. Null for an unknown one, and when all keys of its account are revoked. */
export async function ownerOf(database: Database, repoId: string): Promise<Id | null> {
  const { rows } = await database.query<{ account_id: Id }>(
    `select account_id from vendor_references as reference
      where service = $1 and not is_test and reference = $2 and lasts
        and exists (select 1 from keys join budgets on budgets.id = keys.id
          where keys.account_id = reference.account_id and state <> 'closed')`,
    [SERVICE, repoId],
    'owner_of_repository',
  )
  return rows[0]?.account_id ?? null
}

/** Throws AppError storage_quota_exceeded if the account has as many repositories as allowed. */
export async function requireRoom(
  { database, maxRepositories }: GitDeps,
  accountId: Id,
): Promise<void> {
  const { rows } = await database.query<{ count: bigint }>(
    'select count(*) as count from vendor_references where account_id = $1 and service = $2 and not is_test and lasts',
    [accountId, SERVICE],
  )
  if ((rows[0]?.count ?? 0n) >= BigInt(maxRepositories))
    throw new AppError(
      'storage_quota_exceeded',
      `This account has ${maxRepositories} repositories, the most that this gateway stores for an account. Nothing was charged.`,
      { fix: 'Use an existing repository; each can have any number of branches.' },
    )
}

/** The size of a repository in bytes. Pushes are stored as packs, so it has few files. */
export async function sizeOf(deps: GitDeps, repoId: string): Promise<number> {
  const folder = folderOf(deps, repoId)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          // Deleted by a concurrent repack.
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/**
 * Deletes repositories that no account owns: those of erased accounts, and those whose call did not
 * finish. A call that is still in progress is younger than `graceMs`. Returns the number of them.
 */
export async function sweepRepositories(deps: GitDeps, graceMs: number): Promise<number> {
  const names = await readdir(deps.folder).catch(() => [])
  let swept = 0
  for (const name of names) {
    const path = join(deps.folder, name)
    const made = await stat(path).catch(() => null)
    if (made === null || made.birthtimeMs > deps.now() - graceMs) continue
    const repoId = name.replace(/\.git$/, '')
    if (isRepositoryId(repoId) && (await isOwned(deps.database, repoId))) continue
    await rm(path, { recursive: true, force: true })
    swept += 1
  }
  return swept
}

async function isOwned(database: Database, repoId: string): Promise<boolean> {
  const { rows } = await database.query(
    'select 1 from vendor_references where service = $1 and not is_test and reference = $2 and lasts',
    [SERVICE, repoId],
    'is_owned_repository',
  )
  return rows.length > 0
}
