import type { Database } from '../../../db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { GitDeps } from '../../../resources/git/git-deps.ts'
import type { Config } from '../../settings/config.ts'
import { isPartEnabled } from '../../settings/in-house-settings.ts'
import type { InHousePart } from '../../settings/in-house-parts.ts'
import { openRepositories } from './repositories.ts'

/** The parts of IN_HOUSE; null for a part that is off or does not work here. */
export type InHouse = {
  readonly git: GitDeps | null
  /** The parts that work in this process. */
  readonly parts: readonly InHousePart[]
}

/** `isDefault`: the process enables every part while IN_HOUSE is not set. */
export async function openInHouse(
  config: Config,
  database: Database,
  now: Clock,
  isDefault: boolean,
): Promise<InHouse> {
  const git = await openRepositories(config, database, now, isDefault)
  return {
    git,
    parts: [
      ...(git === null ? [] : ['git' as const]),
      ...(isPartEnabled(config.inHouse, 'readers', isDefault) ? ['readers' as const] : []),
    ],
  }
}
