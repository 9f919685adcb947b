/** Serves the style sheet, logo and scripts from memory, under a version that browsers cache permanently. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { sendDocument, storeDocument, type StoredDocument } from './documents.ts'

const folder = new URL('../../html/assets/', import.meta.url)
const FILES = {
  'tollgate.css': 'text/css; charset=utf-8',
  'mark.svg': 'image/svg+xml',
  'passkeys.js': 'text/javascript; charset=utf-8',
  'send-once.js': 'text/javascript; charset=utf-8',
} as const
const CACHED_PERMANENTLY = 'public, max-age=31536000, immutable'

export type Assets = {
  readonly version: string
  readonly files: readonly {
    readonly name: string
    readonly current: StoredDocument
    readonly unversioned: StoredDocument
  }[]
}

export async function loadAssets(): Promise<Assets> {
  const loaded = await Promise.all(
    Object.entries(FILES).map(async ([name, contentType]) => ({
      name,
      contentType,
      content: await readFile(new URL(name, folder)),
    })),
  )
  const hash = createHash('sha256')
  for (const { content } of loaded) hash.update(content)
  return {
    version: hash.digest('hex').slice(0, 10),
    files: loaded.map(({ name, contentType, content }) => ({
      name,
      current: storeDocument(content, contentType, { cacheControl: CACHED_PERMANENTLY }),
      unversioned: storeDocument(content, contentType),
    })),
  }
}

/** Serves other versions too, but without permanent caching. */
export async function assetRoutes(app: FastifyInstance, { version, files }: Assets): Promise<void> {
  for (const { name, current, unversioned } of files) {
    app.get<{ Querystring: { v?: string } }>(`/assets/${name}`, (request, reply) =>
      sendDocument(request, reply, request.query.v === version ? current : unversioned),
    )
  }
}
