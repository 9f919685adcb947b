import { errorCatalog, type ErrorCode, type ErrorSpec } from '../../../../../errors/catalog.ts'
import type { Action } from '../../../../../catalog/vocabulary/define.ts'
import { table, type Cell } from '../../components/table.ts'
import { code } from '../../components/text.ts'
import { html, type Html } from '../../html.ts'

const CALLER_ERRORS: readonly ErrorCode[] = ['invalid_params', 'invalid_token', 'rate_limited']
const MONEY_ERRORS: readonly ErrorCode[] = [
  'credits_required',
  'api_key_limit_exceeded',
  'max_cost_exceeded',
  'room_held',
]
const UPSTREAM_ERRORS: readonly ErrorCode[] = [
  'upstream_rejected',
  'upstream_error',
  'upstream_not_configured',
  'upstream_busy',
  'upstream_timeout',
]

/** The errors to expect. Codes that begin with the name of the action are specific to it. `params`: names of its parameters. */
export function errorSection(name: string, action: Action, params: readonly string[]): Html {
  const all = Object.keys(errorCatalog) as ErrorCode[]
  const takesAddress = params.includes('url') || params.includes('urls')
  const ofPages: readonly ErrorCode[] = takesAddress
    ? ['bad_url', name === 'onescrape' ? 'all_blocked' : 'no_results']
    : []
  const own = all.filter(
    (errorCode) => errorCode.startsWith(`${name}_`) || ofPages.includes(errorCode),
  )
  const money = action.price.kind === 'free' ? [] : MONEY_ERRORS
  const upstream = action.kind === 'local' && action.uses.length === 0 ? [] : UPSTREAM_ERRORS
  const rows = [...CALLER_ERRORS, ...own, ...money, ...upstream]
    .map((errorCode): [ErrorCode, ErrorSpec] => [errorCode, errorCatalog[errorCode]])
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([errorCode, { status, title, fix }]): Cell[] => [
      status,
      code(errorCode),
      html`${title}. <span class="muted">${fix}</span>`,
    ])
  return html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<p>The most common errors. Errors are not charged. See <a href="/docs/calls#errors">how a call works</a> for the format of an error.</p>
${table('Errors', ['Status', 'Code', 'Meaning and what to do'], rows)}</section>`
}
