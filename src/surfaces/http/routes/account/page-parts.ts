import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../../db/database.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { Site } from '../../html/layout.ts'
import { loadAssets } from '../public/assets.ts'
import { pageCookie, type PageCookie } from './page-cookie.ts'
import { createVisitors, type Visitors } from './visitors.ts'

/** What the pages of those who are signed in share. */
export type PageParts = {
  readonly database: Database
  readonly now: Clock
  readonly site: Site
  readonly cookie: PageCookie
  readonly visitors: Visitors
}

export async function openPageParts({ database, now, publicUrl }: { readonly database: Database; readonly now: Clock; readonly publicUrl: string }): Promise<PageParts> {
  const cookie = pageCookie(publicUrl)
  return { database, now, site: { publicUrl, version: (await loadAssets()).version }, cookie, visitors: createVisitors({ database, now, cookie }) }
}

/** Forms of pages, to be registered once for all of them. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)))
  })
}

/** A field of a form that was sent, as text. No browser sends a NUL in one, and no database keeps it. */
export function fieldOf(body: unknown, name: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value.replaceAll('\0', '') : ''
}
