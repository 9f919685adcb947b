import { once } from 'node:events'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { makeFolders } from '../../lib/files/make-folders.ts'
import { newId } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import { forgetUnbought, isRepositoryId, SERVICE } from './clone-urls.ts'
import type { GitDeps } from './git-deps.ts'
import { endGit, startGit } from './git-process.ts'

export const BRANCH = 'main'

type RepositoryOwner = Pick<Owner, 'accountId' | 'keyId'>

/** The bare repository of an id that `createRepository` returned. */
export function folderOf({ folder }: Pick<GitDeps, 'folder'>, repoId: string): string {
  return join(folder, `${repoId}.git`)
}

/**
 * Creates an empty bare repository and returns its id. It gets its name when it is complete. Throws AppError
 * storage_quota_exceeded.
 */
export async function createRepository(
  deps: GitDeps,
  owner: RepositoryOwner,
  signal: AbortSignal,
): Promise<string> {
  const repoId = `repo_${newId(deps.now())}`
  const target = folderOf(deps, repoId)
  const draft = `${target}.unfinished`
  await reserve(deps, owner, repoId)
  try {
    await makeFolders(draft)
    await initialize(deps, draft, signal)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    await deps.database.query('delete from repositories where repo_id = $1', [repoId])
    throw error
  }
  return repoId
}

/** Counts the account's repositories while the account is locked, so concurrent calls see each other. */
async function reserve(
  { database, now, maxRepositories }: GitDeps,
  { accountId, keyId }: RepositoryOwner,
  repoId: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('select from accounts where id = $1 for no key update', [accountId])
    const { rows } = await tx.query<{ count: bigint }>(
      'select count(*) as count from repositories where account_id = $1',
      [accountId],
    )
    if ((rows[0]?.count ?? 0n) >= BigInt(maxRepositories)) throw tooMany(maxRepositories)
    await tx.query(
      'insert into repositories (repo_id, account_id, created_ms, key_id, url_ms) values ($1, $2, $3, $4, $3)',
      [repoId, accountId, now(), keyId],
    )
  })
}

function tooMany(most: number): AppError {
  return new AppError(
    'storage_quota_exceeded',
    `This account has ${most} repositories, the most that this gateway stores for an account. Nothing was charged.`,
    { fix: 'Use an existing repository; each can have any number of branches.' },
  )
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
  await forgetUnbought(deps.database, deps.now() - graceMs)
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
