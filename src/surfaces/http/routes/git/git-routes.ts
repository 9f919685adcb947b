import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import type { GitDeps } from '../../../../resources/git/git-deps.ts'
import { isRepositoryId, openCloneUrl } from '../../../../resources/git/clone-urls.ts'
import { lockPushes } from '../../../../resources/git/push-lock.ts'
import {
  clearQuarantine,
  serveGit,
  type GitRequest,
  type GitService,
} from '../../../../resources/git/serve-git.ts'
import type { Maker, MakerWatch } from '../../../../resources/makers/maker-watch.ts'
import { onGone } from '../../connections/client-gone.ts'
import { passwordOf } from './basic-password.ts'

export type GitRouteDeps = {
  readonly git: GitDeps
  readonly makers: MakerWatch
  /** How long a client may pause. git sends something every five seconds while it works. */
  readonly idleMs: number
  /** Connections with a push, which the general request timeout does not apply to. */
  readonly slowUploads: WeakSet<Socket>
}

type Named = { Params: { id: string } }
type AskedRefs = Named & { Querystring: { service?: unknown } }

const LONGEST_MS = 15 * 60_000
const REVOKED = 'The key of this clone URL was revoked or paused, or its account was.'
const PASSED_HEADERS = ['content-type', 'content-encoding', 'content-length', 'git-protocol']
const LFS_TYPE = 'application/vnd.git-lfs+json'

/** Serves the repositories of gitstore to git clients. The token in the clone URL authorizes a request; no key is needed. */
export async function gitRoutes(
  app: FastifyInstance,
  { git, makers, idleMs, slowUploads }: GitRouteDeps,
): Promise<void> {
  // Accepts any type without reading the body, which the handlers stream.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const config = { streamsBody: true }

  app.get<AskedRefs>('/git/:id/info/refs', async (request, reply) => {
    const open = await openRepository(git, request, reply)
    const { service } = request.query
    if (service !== 'git-upload-pack' && service !== 'git-receive-pack')
      throw new AppError('bad_request', 'This address serves git clients from version 1.6.6.', {
        fix: 'Use "git clone" with the clone_url that gitstore/repo-create returned.',
      })
    return answer(
      git,
      { request, reply, makers, idleMs, ...open },
      { part: 'refs', service, body: null },
    )
  })
  for (const service of ['git-upload-pack', 'git-receive-pack'] as const)
    app.post<Named>(`/git/:id/${service}`, { config }, async (request, reply) => {
      const open = await openRepository(git, request, reply)
      const { socket } = request.raw
      slowUploads.add(socket)
      try {
        return await answer(
          git,
          { request, reply, makers, idleMs, ...open },
          { part: 'stream', service, body: request.raw },
        )
      } finally {
        slowUploads.delete(socket)
      }
    })
  app.post<Named>('/git/:id/info/lfs/objects/batch', { config }, async (request, reply) => {
    await openRepository(git, request, reply)
    return reply
      .code(501)
      .type(LFS_TYPE)
      .send(
        JSON.stringify({
          message:
            'This gateway does not store Git LFS objects. Run "git lfs uninstall" in the repository and commit the files themselves, or store large files with files/upload.',
        }),
      )
  })
}

type Open = { readonly repoId: string; readonly maker: Maker }

/** Throws AppError repository_token_invalid for a wrong token, an unknown repository and a revoked maker alike. */
async function openRepository(
  git: GitDeps,
  request: FastifyRequest<Named>,
  reply: FastifyReply,
): Promise<Open> {
  const repoId = request.params.id.replace(/\.git$/, '')
  const token = passwordOf(request.headers.authorization)
  const maker =
    isRepositoryId(repoId) && token !== null ? await openCloneUrl(git, repoId, token) : null
  if (maker !== null) return { repoId, maker }
  // Makes git ask for a password, or use the one in its URL.
  reply.header('www-authenticate', 'Basic realm="Tollgate repositories", charset="UTF-8"')
  throw new AppError('repository_token_invalid')
}

type Exchange = Open & {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly makers: MakerWatch
  readonly idleMs: number
}
type Asked = {
  readonly part: GitRequest['part']
  readonly service: GitService
  readonly body: Readable | null
}

async function answer(
  git: GitDeps,
  { request, reply, makers, idleMs, repoId, maker }: Exchange,
  asked: Asked,
): Promise<FastifyReply> {
  const gone = new AbortController()
  const end = (message: string): void => gone.abort(new AppError('request_timeout', message))
  const releases: (() => void)[] = []
  const release = (): void => releases.splice(0).forEach((one) => one())
  onGone(reply.raw, () => end('The client disconnected.'))
  const late = setTimeout(() => end('The request took too long.'), LONGEST_MS)
  late.unref()
  releases.push(() => clearTimeout(late))
  releases.push(
    makers.watch(maker, () => gone.abort(new AppError('repository_token_invalid', REVOKED))),
  )
  const { signal } = gone
  try {
    // Before the place of a process, which waiting pushes would occupy.
    if (asked.part === 'stream' && asked.service === 'git-receive-pack') {
      const onLost = (): void => end('The push took too long.')
      releases.push(await lockPushes(git, repoId, { signal, onLost }))
      await clearQuarantine(git, repoId)
    }
    releases.push(await git.slots.take({ accountId: maker.accountId, signal }))
    // Of an unfinished body. A client that only occupies a process would make others wait.
    request.raw.setTimeout(idleMs, () =>
      end(`The client sent nothing for ${idleMs / 1000} seconds.`),
    )
    const { status, headers, body } = await serveGit(git, {
      ...asked,
      repoId,
      signal,
      headers: Object.fromEntries(
        PASSED_HEADERS.map((name) => [name, request.headers[name]?.toString()]),
      ),
    })
    body.once('close', release)
    return await reply.code(status).headers(headers).send(body)
  } catch (error) {
    release()
    throw error
  }
}
