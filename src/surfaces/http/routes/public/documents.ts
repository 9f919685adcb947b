/** Documents that are rendered once and served from memory, with a strong ETag per encoding. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasTag } from '../../entity-tags.ts'
import { DocumentQueue, LARGE_BYTES } from './document-queue.ts'

export type StoredDocument = {
  readonly status: number
  readonly plain: Encoded
  readonly gzip: Encoded | undefined
}
type Encoded = { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> }

export const JSON_TYPE = 'application/json; charset=utf-8'
export const HTML_TYPE = 'text/html; charset=utf-8'
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'
export const PNG_TYPE = 'image/png'
export const TEXT_TYPE = 'text/plain; charset=utf-8'

/** One queue per process, because all documents share its event loop. */
const queue = new DocumentQueue()

const WORTH_COMPRESSING_BYTES = 1_400
/** Images and fonts are compressed already. */
const COMPRESSIBLE = /^(?:text\/|application\/(?:json|xml)\b|image\/svg)/
const MAX_AGE_SECONDS = 300

export type DocumentOptions = {
  readonly status?: number
  readonly cacheControl?: string
  /** Compresses faster, because the document serves one request. */
  readonly isSentOnce?: boolean
}

export function storeDocument(
  content: string | Buffer,
  contentType: string,
  {
    status = 200,
    cacheControl = `public, max-age=${MAX_AGE_SECONDS}`,
    isSentOnce = false,
  }: DocumentOptions = {},
): StoredDocument {
  const body = typeof content === 'string' ? Buffer.from(content) : content
  const common = {
    'content-type': contentType,
    'cache-control': cacheControl,
    vary: 'accept-encoding',
  }
  const encoded = (bytes: Buffer, extra: Record<string, string>) => ({
    body: bytes,
    headers: {
      ...common,
      ...extra,
      etag: strongTag(bytes),
      'content-length': String(bytes.length),
    },
  })
  return {
    status,
    plain: encoded(body, {}),
    gzip:
      body.length < WORTH_COMPRESSING_BYTES || !COMPRESSIBLE.test(contentType)
        ? undefined
        : encoded(gzipSync(body, { level: isSentOnce ? 3 : 9 }), { 'content-encoding': 'gzip' }),
  }
}

/** Sends a document, or 304 if the caller has the current version. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: StoredDocument,
): FastifyReply {
  const { body, headers } =
    document.gzip !== undefined && acceptsGzip(request) ? document.gzip : document.plain
  const tag = headers['etag'] ?? ''
  if (document.status === 200 && hasTag(request.headers['if-none-match'], tag)) {
    return reply
      .code(304)
      .headers({
        etag: tag,
        'cache-control': headers['cache-control'] ?? '',
        vary: 'accept-encoding',
      })
      .send()
  }
  const send = (): FastifyReply => reply.code(document.status).headers(headers).send(body)
  return body.length < LARGE_BYTES ? send() : queue.send(request, reply, send)
}

/** Renders a document on first use, and again after a change of the lanes. */
export function lazyDocument(
  render: () => StoredDocument,
  revision: () => number = () => 0,
): () => StoredDocument {
  const documents = documentCache(revision)
  return () => documents('only', render)
}

/** Keeps rendered documents until the lanes change. The caller bounds the keys. */
export function documentCache(
  revision: () => number = () => 0,
): (key: string, render: () => StoredDocument) => StoredDocument {
  const present = revisedMap<StoredDocument>(revision)
  return (key, render) => {
    const documents = present()
    const document = documents.get(key) ?? render()
    documents.set(key, document)
    return document
  }
}

/** A map that is empty again after a change of the catalog or its lanes. */
export function revisedMap<Value>(revision: () => number = () => 0): () => Map<string, Value> {
  let values = new Map<string, Value>()
  let since = revision()
  return () => {
    if (since !== revision()) values = new Map()
    since = revision()
    return values
  }
}

function strongTag(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
}

function acceptsGzip(request: FastifyRequest): boolean {
  const accepted = request.headers['accept-encoding']
  return typeof accepted === 'string' && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted)
}
