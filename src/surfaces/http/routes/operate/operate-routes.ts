import type { FastifyInstance } from 'fastify'
import type { WebhookDeps } from '../../../../events/webhooks/webhook-deps.ts'
import type { OperateDeps } from '../../../../operate/operate-deps.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { accountPages } from './account-routes.ts'
import { auditPages } from './audit-routes.ts'
import { createConsole } from './console.ts'
import { healthPages } from './health-routes.ts'
import { moneyPages } from './money-routes.ts'
import { overviewPages } from './overview-routes.ts'
import { settingsPages } from './settings-routes.ts'
import { vendorPages } from './vendor-routes.ts'

export type OperateRouteDeps = {
  readonly pages: PageDeps
  readonly webhooks: WebhookDeps
  /** Absent in tests that need no vendors and settings. */
  readonly operate: OperateDeps | undefined
}

/** The operator console below /operate. Requires `acceptForms`. */
export async function operateRoutes(
  app: FastifyInstance,
  { pages, webhooks, operate }: OperateRouteDeps,
): Promise<void> {
  const console = createConsole(app, pages)
  overviewPages(console, pages, operate)
  accountPages(console, pages)
  if (operate !== undefined) {
    vendorPages(console, pages, operate)
    settingsPages(console, pages, operate)
  }
  moneyPages(console, pages)
  healthPages(console, pages, { webhooks, operate })
  auditPages(console, pages)
}
