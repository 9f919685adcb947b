import { stat } from 'node:fs/promises'
import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { textField } from '../../catalog/answers/vendor-failure.ts'
import { AppError } from '../../errors/app-error.ts'
import type { GitDeps } from './git-deps.ts'
import { BRANCH, createRepository, folderOf, isRepositoryId, requireRoom } from './repositories.ts'

/** Names of handlers that exist only on a gateway with in-house repositories. */
export const GIT_HANDLERS = ['gitstore.create', 'gitstore.get'] as const

/** The in-house lane of gitstore. It answers like the merchant of Code Storage. */
export function gitHandlers(deps: GitDeps): ReadonlyMap<string, InHouseHandler> {
  return new Map<string, InHouseHandler>([
    [
      'gitstore.create',
      async (_input, { accountId, signal, now }) => {
        await requireRoom(deps, accountId)
        const repoId = await createRepository(deps, signal)
        return { ...repository(deps, repoId), created_at: new Date(now()).toISOString() }
      },
    ],
    [
      'gitstore.get',
      async (input) => {
        const repoId = textField(input, 'repo_id')
        const made = isRepositoryId(repoId) ? await createdAt(deps, repoId) : null
        if (made === null) throw new AppError('unknown_repo')
        return { ...repository(deps, repoId), created_at: made.toISOString() }
      },
    ],
  ])
}

function repository({ publicUrl, tokens }: GitDeps, repoId: string): object {
  const url = new URL(`${publicUrl}/git/${repoId}.git`)
  url.username = 'git'
  url.password = tokens.tokenOf(repoId)
  return { id: repoId, clone_url: url.href, default_branch: BRANCH }
}

async function createdAt(deps: GitDeps, repoId: string): Promise<Date | null> {
  const found = await stat(folderOf(deps, repoId)).catch(() => null)
  return found === null ? null : found.birthtime
}
