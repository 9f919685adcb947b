import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, invariant } from '../../../../errors/app-error.ts'
import type { FileDeps } from '../../../../resources/files/file-deps.ts'
import type { FileRow } from '../../../../resources/files/file-row.ts'
import { fillUpload } from '../../../../resources/files/fill-upload.ts'
import { findLinked, unknownFile, uploadRevoked } from '../../../../resources/files/find-file.ts'
import { LONGEST_UPLOAD_MS } from '../../../../resources/files/sweep.ts'
import type { MakerWatch } from '../../../../resources/makers/maker-watch.ts'
import { publicId } from '../../../../lib/ids.ts'
import { hasTag } from '../../entity-tags.ts'
import { dataBody, sendBody } from '../../send-data.ts'
import { createArrivals } from './arrivals.ts'
import { etagOf, fileHeaders } from './file-headers.ts'
import { parseRange } from './range.ts'
import { sendPieces } from './send-pieces.ts'
import { announcedBytes, digestOf } from './upload-body.ts'

export type FileRouteDeps = {
  readonly files: FileDeps
  readonly makers: MakerWatch
  /** How long a sender may pause. */
  readonly idleMs: number
  /** Connections with an upload, which the general request timeout does not apply to. */
  readonly slowUploads: WeakSet<Socket>
}

type Linked = { Params: { id: string } }

/** Serves signed file links: PUT uploads to a slot, GET and HEAD download a file. The link authorizes the request; no key is needed. */
export async function fileRoutes(
  app: FastifyInstance,
  { files, makers, idleMs, slowUploads }: FileRouteDeps,
): Promise<void> {
  const arrivals = createArrivals()
  // Accepts any type without reading the body, which the handler streams.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  app.put<Linked>('/files/:id', { config: { streamsBody: true } }, async (request, reply) => {
    const link = files.links.check('put', request.params.id, request.query)
    const { raw } = request
    const sha256 = digestOf(raw.headers)
    const { signal, abort, end } = arrivals.begin(link.id, LONGEST_UPLOAD_MS)
    let leave = (): void => undefined
    slowUploads.add(raw.socket)
    try {
      return sendBody(
        request,
        reply,
        dataBody(
          await fillUpload(files, link, {
            body: raw,
            announcedBytes: announcedBytes(raw.headers),
            sha256,
            signal,
            idleMs,
            ownsChunks: raw.socket instanceof Socket,
            onMaker: (maker) => (leave = makers.watch(maker, () => abort(uploadRevoked()))),
          }),
        ),
      )
    } catch (error) {
      // Closes the connection instead of reading the rest of the upload.
      if (raw.readableDidRead && !raw.readableEnded) reply.header('connection', 'close')
      if (error instanceof AppError || raw.complete || !raw.destroyed) throw error
      throw new AppError('bad_request', 'The upload was interrupted.', {
        fix: 'Upload the whole file again to the same address.',
        cause: error,
      })
    } finally {
      leave()
      end()
      slowUploads.delete(raw.socket)
    }
  })

  app.route<Linked>({
    method: ['GET', 'HEAD'],
    url: '/files/:id',
    async handler(request, reply) {
      const row = await findLinked(
        files.database,
        files.links.check('get', request.params.id, request.query),
      )
      if (row.object_key === null) throw unknownFile()
      // A published link outlives its key, but not the account.
      const maker = { accountId: row.account_id, keyId: null, madeMs: null }
      reply.raw.once(
        'close',
        makers.watch(maker, () => reply.raw.destroy()),
      )
      return sendFile(files, request, reply, row)
    },
  })
}

async function sendFile(
  files: FileDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  row: FileRow,
): Promise<FastifyReply> {
  const { store } = files
  const size = Number(row.size_bytes)
  reply.header('x-request-id', publicId('request', request.id))
  if (hasTag(request.headers['if-none-match'], etagOf(row.sha256)))
    return reply.code(304).headers(fileHeaders(row)).send()
  const range = rangeOf(request, row, size)
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    throw new AppError('range_not_satisfiable', `The file has ${size} bytes.`, {
      details: { size },
    })
  }
  const key = row.object_key ?? ''
  const isPiecewise =
    store.openPieces !== undefined &&
    request.method !== 'HEAD' &&
    request.raw.socket instanceof Socket
  const bytes =
    request.method === 'HEAD'
      ? undefined
      : await (isPiecewise ? store.openPieces?.(key, range) : store.open(key, range))
  if (bytes === null) {
    // Throws unknown_file if the file was deleted in between.
    await findLinked(files.database, row)
    invariant(false, 'the store has the bytes of every file')
  }
  if (range !== null)
    reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`)
  reply
    .headers(fileHeaders(row))
    .header('content-length', range === null ? size : range.last - range.first + 1)
  return typeof bytes === 'function' ? sendPieces(reply, bytes) : reply.send(bytes)
}

/** Reads the range of a GET. Files never change, so If-Range fails only for the ETag of another file. */
function rangeOf(
  request: FastifyRequest,
  { sha256 }: FileRow,
  size: number,
): ReturnType<typeof parseRange> {
  if (request.method !== 'GET') return null
  const condition = request.headers['if-range']
  return condition === undefined || condition === etagOf(sha256)
    ? parseRange(request.headers.range, size)
    : null
}
