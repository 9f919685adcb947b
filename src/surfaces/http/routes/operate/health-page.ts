import { publicId } from '../../../../lib/ids.ts'
import type { GatewayFacts } from '../../../../operate/operate-deps.ts'
import {
  HEALTH_HOURS,
  type DeliveryLine,
  type Health,
  type JobLine,
  type WebhookLine,
} from '../../../../operate/health/read-health.ts'
import { badge } from '../../html/components/badge.ts'
import { card, facts, stats } from '../../html/components/card.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { table } from '../../html/components/table.ts'
import { code, time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { countText, moneyText } from '../account/account-components.ts'
import { ACCOUNTS_PATH } from './accounts-page.ts'
import {
  consolePage,
  foldedForm,
  OPERATOR_PATH,
  reasonField,
  rejectionNote,
  timeOf,
} from './console-page.ts'
import type { PageRequest, Rejection } from './console.ts'
import { heatLegend, heatMap } from './heat-map.ts'

export const HEALTH_PATH = `${OPERATOR_PATH}/health`

/** Forms with the id of their subject. */
export const HEALTH_FORMS = {
  cancel: 'cancel-job',
  enable: 'enable-webhook',
  redeliver: 'redeliver',
} as const

export type HealthView = {
  readonly health: Health
  readonly facts: GatewayFacts | null
  readonly lastBackupMs: number | null
  readonly rejection: Rejection | undefined
}

export function healthPage(site: Site, request: PageRequest, view: HealthView): string {
  const { hours, hour, standing, leases } = view.health
  const { live, test } = standing
  return consolePage(site, request, {
    path: HEALTH_PATH,
    title: 'Health',
    main: html`${pageHeader({ title: 'Health', lead: 'Over all processes, from the database, unless a card names this process.' })}
${rejectionNote(view.rejection, view.rejection?.form ?? '', ['reason'])}
${stats([
  {
    label: 'Held now',
    value: moneyText(live.held_micros),
    note: `calls and jobs: ${countText(live.open_holds)}`,
  },
  {
    label: 'Jobs',
    value: `${live.jobs.running + test.jobs.running} running`,
    note: `${live.jobs.queued + test.jobs.queued} queued${live.jobs.oldest_queued_s === null ? '' : `, the oldest for ${live.jobs.oldest_queued_s} s`}`,
  },
  { label: 'Compute sessions', value: countText(live.open_sessions), note: 'open' },
  { label: 'Processes', value: countText(leases.length), note: 'with a lease' },
])}
${card({ title: 'Failures by service and hour', aside: heatLegend, content: heatMap({ hours, hour, shown: HEALTH_HOURS }) })}
${jobs(view)}${webhooks(view)}${deliveries(view)}
<div class="machines">${processes(view)}${database(view)}${machine(view)}</div>`,
  })
}

function accountLink(id: string): Html {
  const shown = publicId('account', id)
  return html`<a href="${ACCOUNTS_PATH}/${shown}">${code(`${shown.slice(0, 12)}…`)}</a>`
}

function action(
  view: HealthView,
  form: string,
  id: string,
  texts: { readonly summary: string; readonly hint: string },
): Html {
  const isRejected = view.rejection?.form === form && view.rejection.typed('id') === id
  const name = `${form}-${id}`
  const rejection =
    isRejected && view.rejection !== undefined ? { ...view.rejection, form: name } : undefined
  return foldedForm({
    summary: texts.summary,
    form: name,
    action: `${HEALTH_PATH}/${form}`,
    rejection,
    submit: texts.summary,
    content: html`<input type="hidden" name="id" value="${id}"><p class="muted">${texts.hint}</p>${reasonField(rejection, name)}`,
  })
}

const JOB_STATES = {
  queued: badge('pending', 'Queued'),
  running: badge('info', 'Running'),
  failed: badge('error', 'Failed'),
} as const

function jobs(view: HealthView): Html {
  const { openJobs, failedJobs } = view.health
  const shown = [...openJobs, ...failedJobs]
  return card({
    id: 'jobs',
    title: 'Jobs',
    aside: html`<span class="muted">Open, and failed in 24 hours</span>`,
    content:
      shown.length === 0
        ? html`<p class="muted">No open job, and none failed in 24 hours.</p>`
        : table(
            'Jobs',
            ['Job', 'Account', 'State', 'Created', 'Action'],
            shown.map((job) => [
              html`${code(job.name)}<br><span class="muted">${publicId('job', job.id)}${job.mode === 'test' && ' · test'}</span>`,
              accountLink(job.accountId),
              jobState(job),
              timeOf(job.createdMs),
              job.status === 'failed' || job.isCancelled
                ? html`<span class="muted">${job.status === 'failed' ? 'Not charged. Its caller can send it again.' : 'Ending'}</span>`
                : action(view, HEALTH_FORMS.cancel, publicId('job', job.id), {
                    summary: 'Cancel',
                    hint: 'A queued job ends now, not charged. A running one delivers its results so far and is charged for them.',
                  }),
            ]),
          ),
  })
}

function jobState({ status, errorCode, attempt }: JobLine): Html {
  return html`${JOB_STATES[status]}${errorCode !== null && html`<br>${code(errorCode)}`}${attempt > 1 && html`<br><span class="muted">attempt ${attempt}</span>`}`
}

const BECAUSE: Readonly<Record<string, string>> = {
  gone: 'The receiver answered 410',
  failing: 'Failing for five days',
}

function webhooks(view: HealthView): Html | false {
  const shown: readonly WebhookLine[] = view.health.webhooks
  return (
    shown.length > 0 &&
    card({
      id: 'webhooks',
      title: 'Disabled webhooks',
      content: table(
        'Disabled webhooks',
        ['Receiver', 'Account', 'Reason', 'Failing since', 'Action'],
        shown.map((webhook) => [
          html`<bdi class="given">${webhook.receiver}</bdi>`,
          accountLink(webhook.accountId),
          BECAUSE[webhook.because] ?? webhook.because,
          timeOf(webhook.failingSinceMs),
          action(view, HEALTH_FORMS.enable, publicId('webhook', webhook.id), {
            summary: 'Enable',
            hint: 'New events are sent again. Events of the past are not.',
          }),
        ]),
      ),
    })
  )
}

function deliveries(view: HealthView): Html | false {
  const shown: readonly DeliveryLine[] = view.health.deliveries
  return (
    shown.length > 0 &&
    card({
      id: 'deliveries',
      title: 'Failed deliveries',
      aside: html`<span class="muted">Of the last 24 hours</span>`,
      content: table(
        'Failed deliveries',
        ['Event', 'Account', { figures: 'Tries' }, 'Ended', 'Action'],
        shown.map((delivery) => [
          code(delivery.type),
          accountLink(delivery.accountId),
          delivery.tries,
          timeOf(delivery.endedMs),
          action(view, HEALTH_FORMS.redeliver, publicId('delivery', delivery.id), {
            summary: 'Send again',
            hint: 'The receiver gets the same event with the same id.',
          }),
        ]),
      ),
    })
  )
}

function processes({ health: { leases } }: HealthView): Html {
  return card({
    title: 'Processes',
    content: table(
      'Processes',
      ['Lease', 'Last beat'],
      leases.map(({ number, beatAt }) => [code(number), time(beatAt.toISOString())]),
    ),
  })
}

const MEBIBYTE = 1024 ** 2
const bytesText = (bytes: number): string =>
  bytes < 1024 * MEBIBYTE
    ? `${Math.round(bytes / MEBIBYTE)} MiB`
    : `${(bytes / MEBIBYTE / 1024).toFixed(1)} GiB`

function database({ health: { database: found } }: HealthView): Html {
  return card({
    title: 'Database',
    content: facts([
      ['PostgreSQL', found.version],
      ['Size', bytesText(found.bytes)],
      ['Connections', `${found.connections} of ${found.mostConnections}`],
      ['Newest migration', found.newestMigration ?? 'none'],
    ]),
  })
}

function machine({ facts: found, lastBackupMs }: HealthView): Html | false {
  return (
    found !== null &&
    card({
      id: 'machine',
      title: 'This process',
      content: facts([
        ['Version', found.version],
        [
          'Running for',
          `${Math.floor(found.uptimeMs / 3_600_000)} h ${Math.floor(found.uptimeMs / 60_000) % 60} min`,
        ],
        ['Data folder', code(found.dataDir)],
        [
          'Disk',
          found.disk === null
            ? 'unknown'
            : `${bytesText(found.disk.free)} free of ${bytesText(found.disk.total)}`,
        ],
        [
          'Last backup',
          found.backups === 'external'
            ? 'by the tools of your database'
            : lastBackupMs === null
              ? html`never: run ${code('./tollgate backup')} every night`
              : timeOf(lastBackupMs),
        ],
        [
          'Open circuit breakers',
          found.openBreakers.length === 0
            ? 'none'
            : found.openBreakers.map(({ label, count }) => `${label} ${count}`).join(', '),
        ],
      ]),
    })
  )
}
