import { join } from 'node:path'
import type { Database } from '../../../db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import { createSlots } from '../../../lib/fairness/fair-slots.ts'
import { findProgram } from '../../../lib/machine/find-program.ts'
import { sharedSecret } from '../../../resources/files/shared-secret.ts'
import type { GitDeps } from '../../../resources/git/git-deps.ts'
import { createTokens } from '../../../resources/git/tokens.ts'
import type { Config } from '../../settings/config.ts'
import { isPartEnabled } from '../../settings/in-house-settings.ts'

const PROCESSES = 8
const WAITING = 256
const MAX_REPOSITORIES = 100
const MEGABYTE = 1_000_000

/** The repositories of this gateway; null if the operator did not enable them or git is not installed. */
export async function openRepositories(
  config: Pick<Config, 'inHouse' | 'searchPath' | 'dataDir' | 'publicUrl'>,
  database: Database,
  now: Clock,
  isDefault: boolean,
): Promise<GitDeps | null> {
  const { inHouse, searchPath, dataDir, publicUrl } = config
  const isEnabled = isPartEnabled(inHouse, 'git', isDefault)
  const program = isEnabled ? findProgram('git', searchPath) : null
  if (program === null) return null
  return {
    database,
    now,
    program,
    folder: join(dataDir, 'git'),
    tokens: createTokens(await sharedSecret(database, 'git-repositories')),
    publicUrl,
    maxBytes: inHouse.repositoryMegabytes * MEGABYTE,
    maxRepositories: MAX_REPOSITORIES,
    slots: createSlots({
      places: PROCESSES,
      waiting: WAITING,
      perAccount: PROCESSES / 2,
      what: 'a git process',
    }),
  }
}
