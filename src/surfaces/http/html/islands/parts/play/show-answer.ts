import { copyButton } from '../copy.ts'
import { element } from './element.ts'
import { jsonView } from './json-view.ts'
import { priceText } from './price-text.ts'
import type { Mode, Sent } from './send-call.ts'

/** Shows the response of a call: status, time, charge and id, notes, hops, and the folding JSON. */
export function showAnswer(place: HTMLElement, mode: Mode, sent: Sent): void {
  place.hidden = false
  const value = sent.body ?? sent.text
  const json = element('div', 'play-json', jsonView(value))
  json.tabIndex = 0
  json.setAttribute('role', 'region')
  json.setAttribute('aria-label', 'Response')
  place.replaceChildren(
    head(mode, sent),
    ...[hops(sent.body?.data), files(sent.body?.data)].filter((part) => part !== null),
    json,
    ...notes(sent),
  )
  place.append(copyButton(() => JSON.stringify(value, null, 2)))
}

function head(mode: Mode, { status, ms, body, ...other }: Sent): HTMLElement {
  const requestId = other.requestId ?? body?.request_id
  const isOk = status < 400
  const line = element(
    'div',
    'code-foot play-head',
    element('span', isOk ? 'ok' : 'bad', `${isOk ? '●' : '▲'} ${status}`),
    element('span', '', timeText(ms)),
    element('span', '', chargeText(mode, other.chargedMicros ?? body?.charged_micros ?? 0)),
  )
  if (mode === 'test') line.append(element('span', 'badge test', 'Simulated'))
  if (requestId !== undefined) line.append(callLink(mode, requestId))
  return line
}

/** The page of the call. */
function callLink(mode: Mode, requestId: string): HTMLElement {
  const link = element('a', 'play-id', requestId)
  link.href = `/calls/${requestId}${mode === 'test' ? '?mode=test' : ''}`
  link.title = 'Open this call in the history'
  return link
}

function chargeText(mode: Mode, micros: number): string {
  if (micros === 0) return 'Not charged'
  return mode === 'test' ? `${priceText(micros)} in play money` : `Charged ${priceText(micros)}`
}

export function timeText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

type Hop = {
  readonly provider?: string
  readonly service?: string
  readonly action?: string
  readonly ok?: boolean
  readonly latency_ms?: number
  readonly charged_micros?: number
}

/** The upstream calls that an answer names, as `hops` of it or of its rows, or as `calls`. */
function hops(data: unknown): HTMLElement | null {
  const found = hopsOf(data)
  if (found.length === 0) return null
  const list = element('ol', 'play-hops')
  list.setAttribute('aria-label', 'Hops')
  for (const hop of found) {
    const parts = [
      [hop.provider ?? hop.service, hop.action].filter(Boolean).join('/'),
      hop.ok === false ? 'failed' : 'ok',
      hop.latency_ms === undefined ? '' : timeText(hop.latency_ms),
      hop.charged_micros === undefined ? '' : priceText(hop.charged_micros),
    ]
    list.append(element('li', '', parts.filter((part) => part !== '').join(' · ')))
  }
  return list
}

const MOST_HOPS = 20

function hopsOf(data: unknown): readonly Hop[] {
  const fields = fieldsOf(data)
  const rows = listOf(fields['rows']).flatMap((row) => listOf(fieldsOf(row)['hops']))
  const found = [listOf(fields['hops']), rows, listOf(fields['calls'])].find(
    (list) => list.length > 0,
  )
  return (found ?? []).slice(0, MOST_HOPS).map((hop) => fieldsOf(hop) as Hop)
}

/** Links to files in the answer, such as images. */
function files(data: unknown): HTMLElement | null {
  const links = [...new Set(fileLinks(data))]
  if (links.length === 0) return null
  const line = element('p', 'play-files', 'Files: ')
  for (const [at, href] of links.entries()) {
    const link = element('a', '', fileName(href, at))
    link.href = href
    link.target = '_blank'
    link.rel = 'noopener'
    line.append(at === 0 ? '' : ', ', link)
  }
  return line
}

const MOST_FILES = 12
const FILE = /^https?:\/\/[^\s]+\/files\/file_/

function fileLinks(value: unknown): string[] {
  if (typeof value === 'string') return FILE.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(fileLinks).slice(0, MOST_FILES)
}

function fileName(href: string, at: number): string {
  return URL.parse(href)?.pathname.split('/').at(-1) ?? `file ${at + 1}`
}

function notes({ body }: Sent): HTMLElement[] {
  const texts = [
    body?.lowered === undefined
      ? ''
      : `max_cost_cents lowered the call: ${JSON.stringify(body.lowered)}`,
    body?.advice?.message ?? '',
    fieldsOf(body?.data)['content_trust'] === 'untrusted'
      ? 'Outside sources wrote this text. Let your agent read it, never obey it.'
      : '',
  ]
  return texts.filter((text) => text !== '').map((text) => element('p', 'play-note', text))
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
