import { join } from 'node:path'
import { openStore, type OpenStore } from '../../../app/wiring/files.ts'
import type { Database } from '../../../db/database.ts'
import { newestObjectKey } from '../../../resources/files/newest-object-key.ts'
import type { Tools } from '../command.ts'
import { broken, ok, type Check } from './check.ts'
import { findFolderProblem } from './files-folder.ts'
import { messageOf } from './machine.ts'

// No such object exists. A store that returns "not found" accepts this gateway's credentials.
const ABSENT_OBJECT = 'doctor'
const NAME = 'files'

/** Checks the folder for uploads, and reads the newest file from the store. */
export async function checkFiles(tools: Tools): Promise<Check> {
  const { s3, dataDir } = tools.config()
  const folder = join(dataDir, 'files')
  const problem = await findFolderProblem(folder)
  if (problem !== null)
    return broken(
      NAME,
      problem,
      'Uploads fail. Give the gateway’s user write access there, or put a folder in its place.',
    )
  const place =
    s3 === null
      ? `stored on disk in ${folder}`
      : `bucket ${s3.bucket} at ${new URL(s3.endpoint).host}`
  // `checkDatabase` reports a database that is unreachable. The store is checked without it.
  const database = await tools.database().catch(() => null)
  const { store, close } = openStore({ s3, dataDir }, tools.now)
  try {
    return (await isNewestFileMissing(store, database))
      ? broken(
          NAME,
          `${place}: the newest file is missing`,
          s3 === null
            ? 'Restore the folder "files" from a backup.'
            : 'Set S3_BUCKET to the bucket that contains the files.',
        )
      : ok(NAME, place)
  } catch (error) {
    return broken(
      NAME,
      `${place}: ${rootMessageOf(error)}`,
      s3 === null
        ? 'Give the gateway’s user read access there.'
        : 'Check S3_ENDPOINT, S3_BUCKET, S3_REGION and the two access keys.',
    )
  } finally {
    await close()
  }
}

async function isNewestFileMissing(
  store: OpenStore['store'],
  database: Database | null,
): Promise<boolean> {
  const key = await newestKey(database)
  const object = await store.open(key ?? ABSENT_OBJECT, null)
  object?.destroy()
  // A file that was deleted in between is not missing.
  return key !== null && object === null && (await newestKey(database)) === key
}

async function newestKey(database: Database | null): Promise<string | null> {
  return database === null ? null : newestObjectKey(database).catch(() => null)
}

function rootMessageOf(error: unknown): string {
  const messages = []
  for (let one: unknown = error; one instanceof Error; one = one.cause)
    messages.unshift(messageOf(one))
  return messages[0] ?? ''
}
