import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import { ownerOf } from '../../../../keys/caller.ts'
import { renewCloneUrl } from '../../../../resources/git/clone-urls.ts'
import type { GitDeps } from '../../../../resources/git/git-deps.ts'
import { requires } from '../../guards/requires.ts'
import { dataBody, sendBody } from '../../send-data.ts'

/** The response to a renewal. */
export type RenewedUrl = { readonly repo_id: string; readonly clone_url: string }

type One = { Params: { repo: string } }

/** Replaces clone URLs. Free. Requires `requireKeyOrSession`. */
export function repositoryRoutes(app: FastifyInstance, git: GitDeps | undefined): void {
  app.post<One>(
    '/api/v1/repositories/:repo/clone-url',
    requires('repositories.change'),
    async (request, reply) => {
      const { repo } = request.params
      if (git === undefined) throw new AppError('unknown_repo')
      const url = await renewCloneUrl(git, ownerOf(request.caller), repo)
      return sendBody(
        request,
        reply,
        dataBody({ repo_id: repo, clone_url: url } satisfies RenewedUrl),
      )
    },
  )
}
