import type { WebhookDeps } from '../../../../events/webhooks/webhook-deps.ts'
import {
  cancelAnyJob,
  enableAnyWebhook,
  redeliverAny,
} from '../../../../operate/health/act-on-health.ts'
import { readHealth } from '../../../../operate/health/read-health.ts'
import type { OperateDeps } from '../../../../operate/operate-deps.ts'
import { readLastBackup } from '../../../../operate/read-attention.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import type { Console } from './console.ts'
import { HEALTH_FORMS, HEALTH_PATH, healthPage } from './health-page.ts'

/** /operate/health and the actions on jobs, webhooks and deliveries. */
export function healthPages(
  console: Console,
  { database, now, site }: PageDeps,
  {
    webhooks,
    operate,
  }: { readonly webhooks: WebhookDeps; readonly operate: OperateDeps | undefined },
): void {
  console.page(
    HEALTH_PATH,
    async (request, rejection) =>
      healthPage(site, request, {
        health: await readHealth({ database, now }),
        facts: operate === undefined ? null : await operate.facts(),
        lastBackupMs: await readLastBackup(database),
        rejection,
      }),
    [
      {
        name: HEALTH_FORMS.cancel,
        async work({ field }) {
          await cancelAnyJob({ database, now }, field('id'))
          return { done: 'cancelled' }
        },
      },
      {
        name: HEALTH_FORMS.enable,
        async work({ field }) {
          await enableAnyWebhook(webhooks, field('id'))
          return { done: 'enabled' }
        },
      },
      {
        name: HEALTH_FORMS.redeliver,
        async work({ field }) {
          await redeliverAny(webhooks, field('id'))
          return { done: 'redelivered' }
        },
      },
    ],
  )
}
