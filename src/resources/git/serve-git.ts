import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'
import type { GitDeps } from './git-deps.ts'
import { endGit, startGit, type GitProcess } from './git-process.ts'
import { removeLeftovers } from './remove-leftovers.ts'
import { folderOf, sizeOf } from './repositories.ts'

export type GitService = 'git-upload-pack' | 'git-receive-pack'

export type GitRequest = {
  readonly repoId: string
  /** The client reads the branches, or talks to the service. */
  readonly part: 'refs' | 'stream'
  readonly service: GitService
  /** Headers Content-Type, Content-Encoding, Content-Length and Git-Protocol. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Readable | null
  readonly signal: AbortSignal
}

export type GitReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

const MOST_HEADER_BYTES = 16 * 1024
const MAX_LOG_CHARACTERS = 2_000
const HOOKS = join(import.meta.dirname, 'hooks')
const KIB = 1024
const QUARANTINE = /^(tmp_objdir-)?incoming-/

/**
 * Answers one request of a git client with `git http-backend`. The signal kills it. Throws AppError
 * storage_quota_exceeded for a push to a full repository, and `internal` when git fails.
 */
export async function serveGit(deps: GitDeps, request: GitRequest): Promise<GitReply> {
  const child = startGit({
    program: deps.program,
    args: ['http-backend'],
    folder: deps.folder,
    env: {
      ...requestVariables(deps, request),
      TOLLGATE_MOST_KIB: String(Math.floor(deps.maxBytes / KIB)),
    },
    config: {
      'http.getanyfile': 'false',
      'http.receivepack': 'true',
      'uploadpack.allowFilter': 'true',
      ...(request.service === 'git-receive-pack' ? await pushSettings(deps, request.repoId) : {}),
    },
  })
  const end = (): void => endGit(child)
  request.signal.addEventListener('abort', end, { once: true })
  child.once('close', () => request.signal.removeEventListener('abort', end))
  if (request.signal.aborted) end()
  if (request.body === null) child.stdin.end()
  else request.body.pipe(child.stdin)
  return readReply(child, request.signal)
}

function requestVariables(
  { folder }: GitDeps,
  { repoId, part, service, headers, body }: GitRequest,
): Record<string, string> {
  const variables = {
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: `/${repoId}.git/${part === 'refs' ? 'info/refs' : service}`,
    QUERY_STRING: part === 'refs' ? `service=${service}` : '',
    REQUEST_METHOD: body === null ? 'GET' : 'POST',
    // A push needs a name of its user.
    REMOTE_USER: 'git',
    CONTENT_TYPE: headers['content-type'],
    CONTENT_LENGTH: headers['content-length'],
    HTTP_CONTENT_ENCODING: headers['content-encoding'],
    GIT_PROTOCOL: headers['git-protocol'],
  }
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/**
 * Packs are checked and stay packs. git itself rejects a pack that does not fit into the repository. The hook
 * checks again with the index of the pack, which git adds. One push runs at a time (`push-lock.ts`).
 */
async function pushSettings(deps: GitDeps, repoId: string): Promise<Record<string, string>> {
  await removeLeftovers(deps, repoId)
  const free = deps.maxBytes - (await sizeOf(deps, repoId))
  if (free <= 0)
    throw new AppError(
      'storage_quota_exceeded',
      `The repository has reached its size limit of ${deps.maxBytes} bytes.`,
      { fix: 'Create another repository with gitstore/repo-create.' },
    )
  return {
    'core.hooksPath': HOOKS,
    'receive.maxInputSize': String(free),
    'receive.fsckObjects': 'true',
    'receive.unpackLimit': '1',
    'gc.autoDetach': 'false',
    'gc.autoPackLimit': '20',
  }
}

/** Deletes what killed pushes left. Call it while no push is in progress. */
export async function clearQuarantine(deps: GitDeps, repoId: string): Promise<void> {
  const objects = join(folderOf(deps, repoId), 'objects')
  const names = await readdir(objects).catch(() => [])
  for (const name of names.filter((one) => QUARANTINE.test(one)))
    await rm(join(objects, name), { recursive: true, force: true })
}

/** Reads the headers of a CGI response (RFC 3875), then returns the rest as a stream. */
function readReply(child: GitProcess, signal: AbortSignal): Promise<GitReply> {
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-MAX_LOG_CHARACTERS)
  })
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0)
    const fail = (cause: unknown): void => {
      endGit(child)
      reject(
        signal.aborted
          ? (signal.reason as Error)
          : new AppError('internal', 'git could not answer this request.', { cause }),
      )
    }
    const read = (): void => {
      for (let chunk = nextChunk(child.stdout); chunk !== null; chunk = nextChunk(child.stdout)) {
        head = Buffer.concat([head, chunk])
        const end = head.indexOf('\r\n\r\n')
        if (end === -1 && head.length > MOST_HEADER_BYTES) return fail('The headers are too long.')
        if (end === -1) continue
        child.stdout.off('readable', read)
        child.off('close', ended)
        if (head.length > end + 4) child.stdout.unshift(head.subarray(end + 4))
        resolve({ ...headOf(head.subarray(0, end).toString('latin1')), body: child.stdout })
        return
      }
    }
    const ended = (): void => fail(log)
    child.stdout.on('readable', read)
    child.once('error', fail)
    child.once('close', ended)
  })
}

function nextChunk(stream: Readable): Buffer | null {
  return stream.read() as Buffer | null
}

function headOf(text: string): Pick<GitReply, 'status' | 'headers'> {
  const fields = text.split('\r\n').map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  const status = fields.find(([name]) => name === 'status')?.[1]
  return {
    status: status === undefined ? 200 : Number.parseInt(status, 10),
    headers: Object.fromEntries(fields.filter(([name]) => name !== 'status' && name !== '')),
  }
}
