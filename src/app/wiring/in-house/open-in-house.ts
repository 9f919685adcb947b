import type { BoxesDeps } from '../../../resources/boxes/boxes-deps.ts'
import type { FileDeps } from '../../../resources/files/file-deps.ts'
import type { GitDeps } from '../../../resources/git/git-deps.ts'
import type { InboxDeps } from '../../../resources/inboxes/inbox-deps.ts'
import type { Config } from '../../settings/config.ts'
import { isPartEnabled } from '../../settings/in-house-settings.ts'
import type { InHousePart } from '../../settings/in-house-parts.ts'
import { openBoxes } from './boxes.ts'
import { openInboxes } from './inboxes.ts'
import { openRepositories } from './repositories.ts'

/** The parts of IN_HOUSE; null for a part that is off or does not work here. */
export type InHouse = {
  readonly git: GitDeps | null
  readonly inboxes: InboxDeps | null
  /** Sandboxes and sessions. */
  readonly boxes: BoxesDeps | null
  /** The parts that work in this process. */
  readonly parts: readonly InHousePart[]
}

/** `isDefault`: the process enables every part while IN_HOUSE is not set. */
export async function openInHouse(
  config: Config,
  files: FileDeps,
  isDefault: boolean,
): Promise<InHouse> {
  const git = await openRepositories(config, files.database, files.now, isDefault)
  const inboxes = await openInboxes(config, files, isDefault)
  const boxes = await openBoxes(config, isDefault)
  return {
    git,
    inboxes,
    boxes,
    parts: [
      ...(git === null ? [] : ['git' as const]),
      ...(inboxes === null ? [] : ['inboxes' as const]),
      ...(isPartEnabled(config.inHouse, 'readers', isDefault) ? ['readers' as const] : []),
      ...(boxes?.sellsSandboxes === true ? ['sandboxes' as const] : []),
      ...((boxes?.sessionServices.size ?? 0) > 0 ? ['sessions' as const] : []),
    ],
  }
}
