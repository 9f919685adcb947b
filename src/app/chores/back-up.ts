import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { copyServer } from '../../db/copy-server.ts'
import type { Database } from '../../db/database.ts'
import { StartError } from '../../errors/start-error.ts'
import { copyFolder } from '../../lib/files/copy-folder.ts'
import { makeFolders } from '../../lib/files/make-folders.ts'
import { copyRepositories } from '../../resources/git/copy-repositories.ts'
import type { Config } from '../settings/config.ts'

// PostgreSQL has ten replication slots, and each copy takes one.
const ALL_IN_USE = '53400'
// The target's disk reports ENOSPC instead.
const DATABASE_DISK_FULL = '53100'

const ADVICE: Readonly<Record<string, string>> = {
  [ALL_IN_USE]: ' Too many backups are running. Try again when one of them has finished.',
  [DATABASE_DISK_FULL]: ' The disk of DATA_DIR is full. Free some space there and try again.',
}

/**
 * Copies the database and files of a running gateway to a new folder that can serve as DATA_DIR. A
 * failed copy leaves nothing behind, and an unfinished one never has the target's name. The
 * database is copied first, so every file in it has its bytes unless it was deleted meanwhile.
 * Throws StartError.
 */
export async function backUp(
  { databaseUrl, dataDir, s3 }: Pick<Config, 'databaseUrl' | 'dataDir' | 's3'>,
  database: Database,
  target: string,
): Promise<void> {
  if (databaseUrl !== null)
    throw new StartError(
      'The database is at DATABASE_URL. Back it up with its own tools, such as pg_dump, together with the folders "files" and "git" in DATA_DIR.',
    )
  if (existsSync(target))
    throw new StartError(`${target} already exists. Name a folder that does not exist yet.`)
  const postgres = resolve(dataDir, 'postgres')
  const files = resolve(dataDir, 'files')
  const git = resolve(dataDir, 'git')
  const around = [postgres, files, git].find((folder) =>
    resolve(target).startsWith(`${folder}${sep}`),
  )
  if (around !== undefined)
    throw new StartError(
      `${target} is inside ${around}, which is being copied. Name a folder outside it.`,
    )
  const draft = `${resolve(target)}.unfinished-${process.pid}`
  try {
    await makeFolders(join(draft, 'postgres'))
    await copyServer(database, join(postgres, 'data'), join(draft, 'postgres', 'data'))
    if (s3 === null && existsSync(files))
      await copyFolder(files, join(draft, 'files'), (path) => path === 'incoming')
    if (existsSync(git)) await copyRepositories(git, join(draft, 'git'))
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const { message, code } = error as Error & { readonly code?: unknown }
    const advice = ADVICE[String(code)] ?? ''
    throw new StartError(`The backup failed: ${message}. Nothing was left at ${target}.${advice}`, {
      cause: error,
    })
  }
}
