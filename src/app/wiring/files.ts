import { join } from 'node:path'
import { MAX_ACCOUNT_BYTES, MAX_FILE_BYTES } from '../../catalog/vocabulary/file-limits.ts'
import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { FileDeps } from '../../resources/files/file-deps.ts'
import { createDiskStore } from '../../resources/files/drivers/disk.ts'
import { createS3Store } from '../../resources/files/drivers/s3.ts'
import { createLinks } from '../../resources/files/link.ts'
import { discardOld } from '../../resources/files/receive.ts'
import { sharedSecret } from '../../resources/files/shared-secret.ts'
import type { Store } from '../../resources/files/store.ts'
import { ABANDONED_MS } from '../../resources/files/sweep.ts'
import { createOperatorDispatcher } from '../../upstream/operator-dispatcher.ts'
import type { Config } from '../settings/config.ts'

export type OpenStore = { readonly store: Store; close(): Promise<void> }
export type OpenFiles = { readonly context: FileDeps; close(): Promise<void> }

const STORE_CONNECTIONS = 64

/** The files of this configuration: in the S3-compatible store when one is set, otherwise on disk under DATA_DIR. */
export async function openFiles(
  { s3, dataDir, publicUrl }: Pick<Config, 's3' | 'dataDir' | 'publicUrl'>,
  database: Database,
  now: Clock,
): Promise<OpenFiles> {
  const folder = join(dataDir, 'files')
  const incoming = join(folder, 'incoming')
  await discardOld(incoming, now() - ABANDONED_MS)
  const { store, close } = openStore({ s3, dataDir }, now)
  const links = createLinks({ secret: await sharedSecret(database, 'file-links'), publicUrl, now })
  const limits = { maxFileBytes: MAX_FILE_BYTES, maxAccountBytes: MAX_ACCOUNT_BYTES }
  return { context: { database, store, links, now, limits, incoming }, close }
}

/** Only the store, which needs no database. */
export function openStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>, now: Clock): OpenStore {
  const dispatcher = createOperatorDispatcher(STORE_CONNECTIONS)
  const store =
    s3 === null
      ? createDiskStore(join(dataDir, 'files', 'objects'))
      : createS3Store({ ...s3, dispatcher, now })
  return { store, close: () => dispatcher.close() }
}
