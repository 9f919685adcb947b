import type { GoneRoute } from '../../../../calls/lanes/gone-routes.ts'
import type {
  BelowCostLine,
  EndLine,
  OperateDeps,
  VendorLine,
} from '../../../../operate/operate-deps.ts'
import type { VendorTrouble } from '../../../../operate/read-attention.ts'
import { medianOf, type ServiceHour } from '../../../../operate/totals/read-totals.ts'
import type { KeyTest } from '../../../../operate/vendors/key-tests.ts'
import { badge } from '../../html/components/badge.ts'
import { actionForm } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { emptyState, note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { table } from '../../html/components/table.ts'
import { code } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { durationText } from '../account/call-labels.ts'
import {
  consolePage,
  OPERATOR_PATH,
  percent,
  rejectionNote,
  signInAgain,
  timeOf,
} from './console-page.ts'
import type { PageRequest, Rejection } from './console.ts'
import { belowCostCard, CLEAR_ROUTE, endsCard, goneRoutesCard } from './vendor-notices.ts'
import { addForm, replaceForm, TEST_ALL, TEST_KEY, verdictNote } from './vendor-forms.ts'

export const VENDORS_PATH = `${OPERATOR_PATH}/vendors`

export type VendorsView = {
  readonly vendors: readonly VendorLine[]
  /** Of the last hours, oldest first. */
  readonly hours: readonly ServiceHour[]
  readonly hour: number
  readonly troubles: readonly VendorTrouble[]
  readonly tests: readonly KeyTest[]
  readonly gone: readonly GoneRoute[]
  readonly ends: readonly EndLine[]
  readonly belowCost: readonly BelowCostLine[]
  readonly canReplace: OperateDeps['replacements']
  /** Why stored keys cannot be opened. */
  readonly storeProblem: string | null
  readonly rejection: Rejection | undefined
}

/** Each vendor with its state, and the way to fix its key. */
export function vendorsPage(site: Site, request: PageRequest, view: VendorsView): string {
  const inUse = view.vendors.filter(({ keys, lanes }) => keys.length > 0 || lanes.wallet > 0)
  const others = view.vendors.filter((vendor) => !inUse.includes(vendor))
  return consolePage(site, request, {
    path: VENDORS_PATH,
    title: 'Vendors',
    main: html`${pageHeader({ title: 'Vendors', lead: 'A test sends the vendor a request that is free and needs the key. Vendors without such a request are never shown as working.', ...(inUse.some(isTestable) ? { actions: actionForm(`${VENDORS_PATH}/${TEST_ALL}`, 'Test all keys', { kind: 'quiet', icon: 'rotate' }) } : {}) })}
${view.storeProblem !== null && note('bad', html`<b>Replaced keys cannot be opened.</b> ${view.storeProblem} Meanwhile the gateway uses the keys of its settings.`)}
${rejectionNote(view.rejection, TEST_ALL)}
${rejectionNote(view.rejection, CLEAR_ROUTE)}
${signInAgain(request.operator, VENDORS_PATH)}
${goneRoutesCard(view.gone)}${endsCard(view.ends)}
${
  inUse.length === 0
    ? emptyState(
        'box',
        'No vendor has a key yet. Actions that run on this machine work without one.',
      )
    : inUse.map((vendor) => vendorCard(request, vendor, view))
}
${addKeyCard(request, view)}${belowCostCard(view.belowCost)}${unused(others, view.canReplace !== null)}`,
  })
}

function isTestable({ keys, canTest }: VendorLine): boolean {
  return canTest && keys.length > 0
}

function vendorCard(request: PageRequest, vendor: VendorLine, view: VendorsView): Html {
  const { service, title, keys, canTest } = vendor
  const own = view.hours.filter((one) => one.service === service)
  const last = own.filter(({ hour }) => hour >= view.hour - 1)
  const [calls, failed] = [sum(last, 'calls'), sum(last, 'failed')]
  const test = view.tests.find((one) => one.service === service)
  const trouble = view.troubles.find((one) => one.service === service)
  return card({
    id: service,
    title,
    aside: html`${stateBadge({ calls, failed, test, trouble })}`,
    content: html`${table(
      `${title}: state`,
      [
        'Lane',
        { figures: 'Calls, last hour' },
        { figures: 'Failed' },
        { figures: 'Median' },
        'Key',
      ],
      [
        [
          laneText(vendor),
          calls,
          percent(failed, calls),
          durationText(medianOf(own.flatMap(({ steps }) => steps))),
          keys.length === 0
            ? 'none'
            : html`${keys.map((key) => html`<span class="key-line">${code(key.setting)} ${key.ending === null ? 'set' : `…${key.ending}`} <span class="muted">${SOURCES[key.source]}</span></span>`)}`,
        ],
      ],
    )}
${test !== undefined && verdictNote(test)}
${keys.length > 0 && html`<div class="row">${actionForm(`${VENDORS_PATH}/${TEST_KEY}`, 'Test this key', { kind: 'quiet', size: 'small', hidden: html`<input type="hidden" name="service" value="${service}">` })}${!canTest && html`<span class="muted">The vendor documents no free request, so a test shows nothing.</span>`}</div>`}
${keys.map((key) => replaceForm({ vendor, key, isRefused: test?.verdict === 'refused' || trouble?.kind === 'refused', request, ...view }))}`,
  })
}

const SOURCES = {
  environment: 'from the environment',
  file: 'from a file',
  console: 'from this console',
} as const

function sum(hours: readonly ServiceHour[], field: 'calls' | 'failed'): number {
  return hours.reduce((total, one) => total + one[field], 0)
}

function laneText({ lanes, actions }: VendorLine): string {
  const live = Object.entries(lanes).filter(([, count]) => count > 0)
  return live.length === 0
    ? 'not live'
    : live.map(([lane, count]) => `${LANES[lane] ?? lane}: ${count} of ${actions}`).join(', ')
}

const LANES: Readonly<Record<string, string>> = {
  vendor: 'your key',
  wallet: 'your wallet',
  'in-house': 'in-house',
}

function stateBadge({
  calls,
  failed,
  test,
  trouble,
}: {
  readonly calls: number
  readonly failed: number
  readonly test: KeyTest | undefined
  readonly trouble: VendorTrouble | undefined
}): Html {
  const isFixed = test?.verdict === 'accepted' && test.testedMs >= (trouble?.sinceMs ?? 0)
  if (trouble !== undefined && !isFixed)
    return trouble.kind === 'refused'
      ? html`${badge('error', 'Key refused')} <span class="muted">since ${timeOf(trouble.sinceMs)}</span>`
      : html`${badge('pending', 'No credit left')} <span class="muted">since ${timeOf(trouble.sinceMs)}</span>`
  if (test?.verdict === 'refused') return badge('error', 'Key refused')
  if (test?.verdict === 'unpaid') return badge('pending', 'No credit left')
  if (calls === 0) return badge('free', 'No calls in the last hour')
  return failed === calls
    ? badge('error', 'All calls fail')
    : failed > 0
      ? badge('pending', 'Some calls fail')
      : badge('live', 'Working')
}

function addKeyCard(request: PageRequest, view: VendorsView): Html | false {
  const form = addForm({ ...view, request })
  return form !== null && card({ id: 'first-keys', title: 'Another vendor', content: form })
}

function unused(vendors: readonly VendorLine[], canAdd: boolean): Html | false {
  return (
    vendors.length > 0 &&
    html`<details class="card unused"><summary>${vendors.length} more you can add</summary>${table(
      'Vendors without a key',
      ['Vendor', { figures: 'Actions' }, 'Works now', 'How to set up'],
      vendors.map((vendor) => [
        html`<b>${vendor.title}</b>`,
        vendor.actions,
        laneText(vendor),
        html`Set ${vendor.settings.map((name, place) => html`${place > 0 && ' and '}${code(name)}`)} and restart the gateway${canAdd && vendor.missing.length > 0 && ', or add a key above'}.${vendor.docsUrl !== null && html` <a href="${vendor.docsUrl}" rel="noreferrer">Vendor’s documentation</a>`}`,
      ]),
    )}</details>`
  )
}
