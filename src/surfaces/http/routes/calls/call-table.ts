import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { Catalog } from '../../../../catalog/index.ts'
import type { CallFilter } from '../../../../history/calls/call-filter.ts'
import type { CallRecord } from '../../../../history/calls/call-record.ts'
import { listCalls, type CallPage } from '../../../../history/calls/list-calls.ts'
import type { Histories } from '../../../../history/histories.ts'
import type { CallLog } from '../../../../history/log/call-log.ts'
import { seenBy } from '../../../../history/transaction-filter.ts'
import { listKeysAnd } from '../../../../keys/list-keys.ts'
import { table, type Cell } from '../../html/components/table.ts'
import { time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { countText } from '../account/account-components.ts'
import { accountUrl, CALLS_PATH } from '../account/account-url.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { chargeBadge, chargeText, durationText, httpCell, omittedCalls } from './call-cells.ts'
import { callName, createTitles, type TitleOf } from './call-titles.ts'

export type CallReadDeps = {
  readonly pages: Pick<PageDeps, 'database' | 'now'>
  readonly histories: Histories
  readonly callLog: Pick<CallLog, 'flush'>
  readonly catalog: Pick<Catalog, 'allActions'>
}

/** A page of calls with the names of their keys, by public id, and the titles of their actions. */
export type ShownCalls = CallPage & {
  readonly keyNames: ReadonlyMap<string, string>
  readonly titleOf: TitleOf
}

/** The calls that a visitor sees, newest first. For the latest ten: `{ filter: {}, cursor: null, limit: 10 }`. */
export async function readShownCalls(
  { pages, histories, callLog, catalog }: CallReadDeps,
  { caller }: Pick<Visitor, 'caller'>,
  {
    filter,
    ...page
  }: { readonly filter: CallFilter; readonly cursor: string | null; readonly limit: number },
): Promise<ShownCalls> {
  await callLog.flush()
  const found = await listCalls(histories(caller.accountId), {
    walletId: caller.walletId,
    filter: { ...filter, ...seenBy(caller) },
    ...page,
  })
  const keyIds = found.calls.flatMap(({ agent_id: id }) => id ?? [])
  const keyNames = await readKeyNames(pages, caller, keyIds)
  return { ...found, keyNames, titleOf: createTitles(catalog) }
}

async function readKeyNames(
  deps: Pick<PageDeps, 'database' | 'now'>,
  caller: Visitor['caller'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const page = { limit: 1, cursor: null, mode: caller.mode, ids }
  const { keys } = await listKeysAnd(deps, caller, page)
  return new Map(keys.map((key) => [key.id, key.label ?? `${key.key_prefix}…`]))
}

export type CallTableView = {
  readonly visitor: Visitor
  readonly shown: Pick<ShownCalls, 'calls' | 'keyNames' | 'titleOf'>
}

/** Calls as a table, which becomes a list of two-line cards on phones. */
export function callTable({ visitor, shown }: CallTableView): Html {
  const rows = shown.calls.map((call): Cell[] => [
    time(call.created_at),
    actionCell(call, visitor, shown),
    httpCell(call),
    chargeBadge(call),
    html`<bdi class="given" title="${keyText(call, shown.keyNames)}">${keyText(call, shown.keyNames)}</bdi>`,
    durationText(call.duration_ms),
    chargeText(call),
  ])
  return html`<div class="call-table">${table(
    'Calls',
    ['Time', 'Action', 'HTTP', 'Status', 'Key', { figures: 'Duration' }, { figures: 'Charge' }],
    rows,
    shown.calls.map(({ id }) => id ?? ''),
  )}</div>`
}

function keyText({ agent_id: id }: CallRecord, names: ReadonlyMap<string, string>): string {
  return id === null ? '–' : (names.get(id) ?? id)
}

function actionCell(
  call: CallRecord,
  visitor: Visitor,
  { titleOf, keyNames }: CallTableView['shown'],
): Html {
  if (call.omitted === 0)
    return html`<a href="${accountUrl(`${CALLS_PATH}/${call.id}`, visitor)}">${callName(call, titleOf)}</a>${call.replayed && html` <span class="muted">stored answer</span>`}`
  const { words, filter } = omittedCalls(call)
  const key = call.agent_id === null ? 'other keys' : keyText(call, keyNames)
  return html`<a href="${accountUrl(CALLS_PATH, visitor, filter)}">${countText(call.omitted)} more ${words} calls of <bdi>${key}</bdi></a>`
}
