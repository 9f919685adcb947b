import { stat } from 'node:fs/promises'
import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { textField } from '../../catalog/answers/vendor-failure.ts'
import { AppError } from '../../errors/app-error.ts'
import type { GitDeps } from './git-deps.ts'
import { cloneUrlFor, isRepositoryId, urlOf } from './clone-urls.ts'
import { BRANCH, createRepository, folderOf } from './repositories.ts'

/** Names of handlers that exist only on a gateway with in-house repositories. */
export const GIT_HANDLERS = ['gitstore.create', 'gitstore.get'] as const

/** The in-house lane of gitstore. It answers like the merchant of Code Storage. */
export function gitHandlers(deps: GitDeps): ReadonlyMap<string, InHouseHandler> {
  return new Map<string, InHouseHandler>([
    [
      'gitstore.create',
      async (_input, tools) => {
        const repoId = await createRepository(deps, tools, tools.signal)
        const cloneUrl = urlOf(deps, repoId, 0)
        return { ...repository(repoId, cloneUrl), created_at: new Date(tools.now()).toISOString() }
      },
    ],
    [
      'gitstore.get',
      async (input, tools) => {
        const repoId = textField(input, 'repo_id')
        const made = isRepositoryId(repoId) ? await createdAt(deps, repoId) : null
        if (made === null) throw new AppError('unknown_repo')
        const cloneUrl = await cloneUrlFor(deps, tools, repoId)
        return { ...repository(repoId, cloneUrl), created_at: made.toISOString() }
      },
    ],
  ])
}

function repository(repoId: string, cloneUrl: string): object {
  return { id: repoId, clone_url: cloneUrl, default_branch: BRANCH }
}

async function createdAt(deps: GitDeps, repoId: string): Promise<Date | null> {
  const found = await stat(folderOf(deps, repoId)).catch(() => null)
  return found === null ? null : found.birthtime
}
