import type { Database } from '../../../../db/database.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { Site } from '../../html/layout/layout.ts'
import { loadAssets } from '../public/assets.ts'
import { pageCookie, type PageCookie } from './page-cookie.ts'
import { createFindVisitor, type FindVisitor } from './find-visitor.ts'

/** Services that the signed-in pages share. */
export type PageDeps = {
  readonly database: Database
  readonly now: Clock
  readonly site: Site
  readonly cookie: PageCookie
  readonly findVisitor: FindVisitor
}

export async function createPageDeps({
  database,
  now,
  publicUrl,
}: {
  readonly database: Database
  readonly now: Clock
  readonly publicUrl: string
}): Promise<PageDeps> {
  const cookie = pageCookie(publicUrl)
  return {
    database,
    now,
    site: { publicUrl, version: (await loadAssets()).version },
    cookie,
    findVisitor: createFindVisitor({ database, now, cookie }),
  }
}
