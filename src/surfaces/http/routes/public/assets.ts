/** Serves style sheet, fonts, images and scripts from memory, under a version that browsers cache permanently. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import { loadAssetFiles } from '../../html/assets/load-assets.ts'
import { sendDocument, storeDocument, type StoredDocument } from './documents.ts'

const CACHED_PERMANENTLY = 'public, max-age=31536000, immutable'

/** Browsers request these at fixed addresses. */
const AT_ROOT: readonly string[] = ['favicon.ico']

export type Assets = {
  readonly version: string
  readonly files: readonly {
    readonly name: string
    readonly current: StoredDocument
    readonly unversioned: StoredDocument
  }[]
}

let loading: Promise<Assets> | undefined

/** Reads the assets once per process. */
export function loadAssets(): Promise<Assets> {
  loading ??= loadAssetFiles().then(({ version, files }) => ({
    version,
    files: files.map(({ name, contentType, content }) => ({
      name,
      current: storeDocument(content, contentType, { cacheControl: CACHED_PERMANENTLY }),
      unversioned: storeDocument(content, contentType),
    })),
  }))
  return loading
}

/** Serves other versions too, but without permanent caching. */
export async function assetRoutes(app: FastifyInstance, { version, files }: Assets): Promise<void> {
  const byName = new Map(files.map((file) => [file.name, file]))
  for (const name of AT_ROOT)
    app.get(`/${name}`, (request, reply) => send(request, reply, byName.get(name)?.unversioned))
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const path = request.params['*']
    const [, named = '', name = ''] = VERSIONED.exec(path) ?? []
    const found = byName.get(path)?.unversioned ?? byName.get(name)
    if (found === undefined || 'status' in found) return send(request, reply, found)
    return send(request, reply, named === version ? found.current : found.unversioned)
  })
}

const VERSIONED = /^([0-9a-f]+)\/(.+)$/

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  document: StoredDocument | undefined,
): FastifyReply {
  if (document !== undefined) return sendDocument(request, reply, document)
  throw new AppError('not_found', 'No such file.', { fix: 'Open / for the pages of this gateway.' })
}
