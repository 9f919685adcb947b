/** Files on the local disk, in a folder that is deleted after the test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../../src/db/database.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import type { FileDeps, FileLimits } from '../../../src/resources/files/file-deps.ts'
import { createDiskStore } from '../../../src/resources/files/drivers/disk.ts'
import { createLinks } from '../../../src/resources/files/link.ts'
import { sharedSecret } from '../../../src/resources/files/shared-secret.ts'
import { cleanUp } from '../clean-up.ts'

export type TestFiles = FileDeps & { readonly folder: string }

export async function openTestFiles(
  database: Database,
  now: Clock,
  limits: FileLimits,
): Promise<TestFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-files-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const links = createLinks({
    secret: await sharedSecret(database, 'file-links'),
    publicUrl: 'https://gate.example',
    now,
  })
  return {
    database,
    store: createDiskStore(join(folder, 'objects')),
    links,
    now,
    limits,
    incoming: join(folder, 'incoming'),
    folder,
  }
}
