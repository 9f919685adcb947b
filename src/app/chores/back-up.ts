import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { copyServer } from '../../db/copy-server.ts'
import type { Database } from '../../db/database.ts'
import { StartError } from '../../errors/start-error.ts'
import { copyFolder } from '../../lib/files/copy-folder.ts'
import { makeFolders } from '../../lib/files/make-folders.ts'
import type { Config } from '../settings/config.ts'

// PostgreSQL has ten replication slots, and each copy takes one.
const ALL_IN_USE = '53400'

/**
 * Copies database and files of a running gateway to a new folder, which can serve as DATA_DIR; a copy that fails leaves
 * nothing, and one that is broken off never bears its name. The database goes first: every file that it knows has its
 * bytes beside it, unless it was deleted meanwhile.
 */
export async function backUp(
  { databaseUrl, dataDir, s3 }: Pick<Config, 'databaseUrl' | 'dataDir' | 's3'>,
  database: Database,
  target: string,
): Promise<void> {
  if (databaseUrl !== null)
    throw new StartError(
      'The database is that of DATABASE_URL: back it up with its own tools, such as pg_dump, and the folder "files" of DATA_DIR beside it.',
    )
  if (existsSync(target))
    throw new StartError(`${target} is there already. Name a folder that is not.`)
  const [postgres, files] = ['postgres', 'files'].map((name) => resolve(dataDir, name)) as [
    string,
    string,
  ]
  const around = [postgres, files].find((folder) => resolve(target).startsWith(`${folder}${sep}`))
  if (around !== undefined)
    throw new StartError(
      `${target} is inside ${around}, which is copied. Name a folder that is not.`,
    )
  const draft = `${resolve(target)}.unfinished-${process.pid}`
  try {
    await makeFolders(join(draft, 'postgres'))
    await copyServer(database, join(postgres, 'data'), join(draft, 'postgres', 'data'))
    if (s3 === null && existsSync(files))
      await copyFolder(files, join(draft, 'files'), (path) => path === 'incoming')
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const { message, code } = error as Error & { readonly code?: unknown }
    const advice =
      code === ALL_IN_USE
        ? ' Others are being made at this moment: try again when one of them is done.'
        : ''
    throw new StartError(
      `The copy could not be made: ${message}. Nothing of it was left at ${target}.${advice}`,
      { cause: error },
    )
  }
}
