import { join } from 'node:path'
import type { Database } from '../../../db/database.ts'
import { openStore, type OpenStore } from '../../../app/wiring/files.ts'
import type { Tools } from '../command.ts'
import { broken, ok, type Check } from './check.ts'
import { flawOf } from './files-folder.ts'
import { messageOf } from './machine.ts'

// Asked for and never made: a store that says it is not there takes this gateway's signature.
const NOBODYS_OBJECT = 'doctor'
const NAME = 'files'

/** Where files of accounts are kept, and where they arrive; the store is asked for one object, and the newest file must be in it. */
export async function checkFiles(tools: Tools): Promise<Check> {
  const { s3, dataDir } = tools.config()
  const folder = join(dataDir, 'files')
  const flaw = await flawOf(folder)
  if (flaw !== null)
    return broken(
      NAME,
      flaw,
      'No upload arrives: let the user of the gateway write there, or put a folder in its place.',
    )
  const place =
    s3 === null
      ? `kept on disk in ${folder}`
      : `bucket ${s3.bucket} at ${new URL(s3.endpoint).host}`
  // What is wrong with the database is a finding of its own: the store can be asked all the same.
  const database = await tools.database().catch(() => null)
  const { store, close } = openStore({ s3, dataDir }, tools.now)
  try {
    const lacks = await lacksNewestFile(store, database)
    return lacks
      ? broken(
          NAME,
          `${place}: the newest file is not there`,
          s3 === null
            ? 'Put the folder "files" of a backup in its place.'
            : 'See that S3_BUCKET is the bucket that the files were kept in.',
        )
      : ok(NAME, place)
  } catch (error) {
    return broken(
      NAME,
      `${place}: ${reasonOf(error)}`,
      s3 === null
        ? 'Let the user of the gateway read there.'
        : 'Check S3_ENDPOINT, S3_BUCKET, S3_REGION and the two access keys.',
    )
  } finally {
    await close()
  }
}

async function lacksNewestFile(
  store: OpenStore['store'],
  database: Database | null,
): Promise<boolean> {
  const key = await newestKey(database)
  const object = await store.open(key ?? NOBODYS_OBJECT, null)
  object?.destroy()
  // It may have been deleted in between: what is not newest any more is not missed.
  return key !== null && object === null && (await newestKey(database)) === key
}

async function newestKey(database: Database | null): Promise<string | null> {
  const known = await database
    ?.query<{ key: string }>(
      'select object_key as key from files where object_key is not null order by id desc limit 1',
    )
    .catch(() => null)
  return known?.rows[0]?.key ?? null
}

function reasonOf(error: unknown): string {
  const reasons = []
  for (let one: unknown = error; one instanceof Error; one = one.cause)
    reasons.unshift(messageOf(one))
  return reasons[0] ?? ''
}
