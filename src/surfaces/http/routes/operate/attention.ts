import { DAY_MS } from '../../../../lib/clock.ts'
import type { Attention, VendorTrouble } from '../../../../operate/read-attention.ts'
import type { KeyTest } from '../../../../operate/vendors/key-tests.ts'
import type { EndLine, GatewayFacts } from '../../../../operate/operate-deps.ts'
import { badge } from '../../html/components/badge.ts'
import { linkButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { icon } from '../../html/components/icon.ts'
import { html, type Html } from '../../html/html.ts'
import { countOf } from '../account/account-components.ts'
import { money, OPERATOR_PATH, timeOf } from './console-page.ts'
import { daysLeftText } from './vendor-notices.ts'

export type AttentionView = {
  readonly attention: Attention
  readonly troubles: readonly VendorTrouble[]
  readonly tests: readonly KeyTest[]
  /** Null in a process without them, such as a test. */
  readonly facts: GatewayFacts | null
  readonly ends: readonly EndLine[]
  readonly oldestQueuedS: number | null
  readonly nowMs: number
}

type Item = {
  readonly level: 'bad' | 'warn'
  readonly title: Html | string
  readonly detail: Html | string
  readonly href: string
  readonly button: string
}

const BACKUP_OLD_MS = 7 * DAY_MS
const JOBS_WAIT_S = 300
const DISK_LOW = 0.1

/** Open items with the way to each. */
export function attentionCard(view: AttentionView): Html {
  const items = itemsOf(view).toSorted(
    (one, other) => Number(one.level === 'warn') - Number(other.level === 'warn'),
  )
  return card({
    title: 'Needs you',
    aside:
      items.length === 0
        ? badge('live', 'Nothing')
        : badge(
            items.some(({ level }) => level === 'bad') ? 'error' : 'pending',
            String(items.length),
          ),
    content:
      items.length === 0
        ? html`<p class="muted">No payment, key, job, webhook or check waits for you.</p>`
        : html`<ul class="attention">${items.map(
            ({ level, title, detail, href, button }, place) =>
              html`<li class="${level}">${icon('warning')}<div><p><b>${title}</b></p><p class="muted">${detail}</p></div>${linkButton(href, button, { size: 'small', ...(place === 0 && level === 'bad' ? {} : { kind: 'quiet' }) })}</li>
`,
          )}</ul>`,
  })
}

export function itemsOf(view: AttentionView): readonly Item[] {
  return [vendorItems, goneItems, endItems, moneyItems, workItems, machineItems].flatMap((find) =>
    find(view),
  )
}

const VENDORS = `${OPERATOR_PATH}/vendors`

function vendorItems({ troubles, tests }: AttentionView): Item[] {
  const tested = new Map(tests.map((test) => [test.service, test]))
  const fromCalls = troubles
    .filter(({ service, sinceMs }) => {
      const test = tested.get(service)
      return test?.verdict !== 'accepted' || test.testedMs < sinceMs
    })
    .map(({ service, kind, failed, sinceMs }): Item => {
      const calls = `${countOf(failed, 'call')} failed, none charged.`
      return kind === 'refused'
        ? {
            level: 'bad',
            title: html`Key of ${service} refused since ${timeOf(sinceMs)}`,
            detail: calls,
            href: `${VENDORS}#${service}`,
            button: 'Fix the key',
          }
        : {
            level: 'bad',
            title: html`${service}: no credit left at the vendor since ${timeOf(sinceMs)}`,
            detail: `${calls} Add credit at the vendor.`,
            href: `${VENDORS}#${service}`,
            button: 'Open vendor',
          }
    })
  const seen = new Set(fromCalls.map(({ href }) => href))
  const fromTests = tests
    .filter(({ verdict }) => verdict === 'refused' || verdict === 'unpaid')
    .map(({ service, verdict, sinceMs }): Item => ({
      level: 'bad',
      title: html`${service}: ${verdict === 'refused' ? 'the vendor refuses the key' : 'the vendor requires payment'}`,
      detail: html`Tested; so since ${timeOf(sinceMs)}.`,
      href: `${VENDORS}#${service}`,
      button: verdict === 'refused' ? 'Fix the key' : 'Open vendor',
    }))
    .filter(({ href }) => !seen.has(href))
  return [...fromCalls, ...fromTests]
}

const ROUTES_NAMED = 3

function goneItems({ attention: { goneRoutes } }: AttentionView): Item[] {
  return goneRoutes.map(({ service, routes }) => ({
    level: 'bad',
    title: html`${service}: ${countOf(routes.length, 'route')} gone`,
    detail: html`${routes.slice(0, ROUTES_NAMED).join(', ')}${routes.length > ROUTES_NAMED && ` and ${routes.length - ROUTES_NAMED} more`}. The vendor no longer offers ${routes.length === 1 ? 'it' : 'them'}.`,
    href: `${VENDORS}#gone`,
    button: 'Open routes',
  }))
}

const NEAR_DAYS = 60

/** One item for each vendor whose key is set, and whose ends are near or over. */
function endItems({ ends }: AttentionView): Item[] {
  const near = ends.filter(({ isInUse, daysLeft }) => isInUse && daysLeft <= NEAR_DAYS)
  return [...Map.groupBy(near, ({ vendor }) => vendor)].map(([vendor, lines]) => ({
    level: lines.some(({ isOver }) => isOver) ? 'bad' : 'warn',
    title: html`${vendor}: ${countOf(lines.length, 'announced end')}`,
    detail: html`${lines.map((end) => `${end.ends} ${daysLeftText(end)}. `)}Update the gateway.`,
    href: `${VENDORS}#ends`,
    button: 'Open',
  }))
}

function moneyItems({ attention: { payments, sales, cardEvents } }: AttentionView): Item[] {
  const href = `${OPERATOR_PATH}/money#pending`
  return [
    ...(payments.count === 0
      ? []
      : [
          {
            level: 'bad' as const,
            title: `${countOf(payments.count, 'payment')} of unknown outcome`,
            detail: `${money(payments.amount)} together, to merchants. Look them up and record the outcome.`,
            href,
            button: 'Resolve',
          },
        ]),
    ...(sales.count === 0
      ? []
      : [
          {
            level: 'bad' as const,
            title: `${countOf(sales.count, 'sale')} of unknown outcome`,
            detail: `${money(sales.amount)} together, from buyers without an account.`,
            href,
            button: 'Open',
          },
        ]),
    ...(cardEvents === 0
      ? []
      : [
          {
            level: 'bad' as const,
            title: `${countOf(cardEvents, 'card event')} not booked`,
            detail: 'Look them up at Stripe: ./tollgate payments card-events.',
            href: '/docs/payments#events-that-are-not-booked',
            button: 'Read how',
          },
        ]),
  ]
}

function workItems({ attention, oldestQueuedS }: AttentionView): Item[] {
  const href = `${OPERATOR_PATH}/health`
  return [
    ...(oldestQueuedS === null || oldestQueuedS < JOBS_WAIT_S
      ? []
      : [
          {
            level: 'bad' as const,
            title: 'Jobs wait for a worker',
            detail: `The oldest has waited ${Math.round(oldestQueuedS / 60)} minutes. Start "./tollgate work".`,
            href: `${href}#jobs`,
            button: 'Open jobs',
          },
        ]),
    ...(attention.failedJobs === 0
      ? []
      : [
          {
            level: 'warn' as const,
            title: `${countOf(attention.failedJobs, 'job')} failed in 24 hours`,
            detail: 'Failed jobs are not charged.',
            href: `${href}#jobs`,
            button: 'Open jobs',
          },
        ]),
    ...(attention.disabledWebhooks === 0
      ? []
      : [
          {
            level: 'warn' as const,
            title: `${countOf(attention.disabledWebhooks, 'webhook was', 'webhooks were')} disabled`,
            detail: 'Their receivers failed for days or no longer exist.',
            href: `${href}#webhooks`,
            button: 'Open webhooks',
          },
        ]),
    ...(attention.counted
      ? []
      : [
          {
            level: 'warn' as const,
            title: 'Totals are being counted',
            detail:
              'Revenue and failures on these pages are too low until all transactions are counted.',
            href: OPERATOR_PATH,
            button: 'Reload',
          },
        ]),
  ]
}

function machineItems({ attention, facts, nowMs }: AttentionView): Item[] {
  if (facts === null) return []
  const { disk, backups, mistyped, checks, browserBehind } = facts
  const { lastBackupMs } = attention
  const settings = `${OPERATOR_PATH}/settings`
  return [
    ...(disk === null || disk.free / disk.total >= DISK_LOW
      ? []
      : [
          {
            level: 'bad' as const,
            title: `Disk of the data folder: ${Math.round((100 * disk.free) / disk.total)}% free`,
            detail: 'On the machine of this process. When it is full, calls are rejected.',
            href: `${OPERATOR_PATH}/health#machine`,
            button: 'Open',
          },
        ]),
    ...(backups !== 'own' || (lastBackupMs !== null && nowMs - lastBackupMs < BACKUP_OLD_MS)
      ? []
      : [
          {
            level: 'warn' as const,
            title:
              lastBackupMs === null ? 'No backup yet' : html`Last backup ${timeOf(lastBackupMs)}`,
            detail: 'Run "./tollgate backup" every night.',
            href: `${OPERATOR_PATH}/health#machine`,
            button: 'How to',
          },
        ]),
    ...(browserBehind === 0
      ? []
      : [
          {
            level: 'warn' as const,
            title: `The browser is about ${browserBehind} major versions old`,
            detail: 'Update Tollgate. Attackers know the vulnerabilities that newer versions fix.',
            href: '/docs/operating#the-browsers-sandbox',
            button: 'Read why',
          },
        ]),
    ...mistyped.map(({ name, meant }) => ({
      level: 'warn' as const,
      title: html`${name} is not a setting`,
      detail: html`It has no effect. Did you mean ${meant}?`,
      href: `${settings}#unknown`,
      button: 'Open',
    })),
    ...(checks?.results ?? [])
      .filter(({ state, name }) => state === 'broken' && !name.startsWith('service '))
      .map(({ name, found, fix }) => ({
        level: 'bad' as const,
        title: html`Check failed: ${name}`,
        detail: html`${found}. ${fix}`,
        href: `${settings}#checks`,
        button: 'Open checks',
      })),
  ]
}
