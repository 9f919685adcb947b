import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { billingSentences } from '../../../../catalog/published/billing-block.ts'
import type { Action } from '../../../../catalog/vocabulary/define.ts'
import { LONGEST_BODY } from '../../../../history/bodies/body-log.ts'
import type { CallRecord } from '../../../../history/calls/call-record.ts'
import type { CallDetail } from '../../../../history/calls/read-call.ts'
import type { CallName, JobOfCall } from '../../../../history/stored-answers.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { badge } from '../../html/components/badge.ts'
import { linkButton } from '../../html/components/button.ts'
import { facts, stats } from '../../html/components/card.ts'
import { codeBlock } from '../../html/components/code-card.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import type { Cell } from '../../html/components/table.ts'
import { code, time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { LONGEST_IDEMPOTENCY_KEY } from '../../idempotency.ts'
import { countText, keyName, moneyText } from '../account/account-components.ts'
import { accountUrl, CALLS_PATH, modeField } from '../account/account-url.ts'
import { chargeBadge, durationText } from './call-cells.ts'
import { callTimeline } from './call-timeline.ts'
import { actionName } from './call-titles.ts'

/** A call with its job, its key and its action of the catalog, as far as they exist. */
export type ShownCall = {
  readonly state: CallDetail
  readonly job: JobOfCall | null
  readonly key: KeyRecord | null
  readonly action: Action | null
  readonly title: string | null
}

export type CallView = {
  readonly visitor: Visitor
  /** Null for the empty form, and for an invalid name. */
  readonly name: CallName | null
  readonly call: ShownCall | null
  readonly problem?: string
}

export function callPage(site: Site, view: CallView): string {
  const { visitor, call, problem } = view
  const title = call === null ? 'Find a call' : headingOf(call)
  return layout(site, {
    path: CALLS_PATH,
    title,
    description: 'A call with its charge, its error and its stored answer.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    crumbs: [
      { label: 'Calls', href: accountUrl(CALLS_PATH, visitor) },
      { label: call?.state.request_id ?? 'Find a call' },
    ],
    main: html`${header(view, title)}
${problem !== undefined && note('bad', problem)}
${call !== null && outcome(call, view)}
${(call === null || 'idempotencyKey' in (view.name ?? {})) && keyForm(view)}`,
  })
}

function headingOf({ state: { call }, title }: ShownCall): string {
  if (call === null) return 'Call'
  return title ?? (actionName(call) || 'Call')
}

function header({ call }: CallView, title: string): Html {
  const record = call?.state.call ?? null
  if (record === null) return pageHeader({ title })
  const page = pageOf(call)
  return pageHeader({
    title: html`<span class="given">${title}</span>`,
    meta: html`${chargeBadge(record)}${call !== null && call.title !== null && html` <span class="given">${code(actionName(record))}</span>`}${record.replayed && html` ${badge('info', 'Stored answer')}`}${page !== null && html` <a href="${page}">Inputs, price and errors of this action</a>`}`,
  })
}

function pageOf(call: ShownCall | null): string | null {
  const record = call?.state.call ?? null
  return record === null || call?.action == null
    ? null
    : `/catalog/${record.service}/${record.action}`
}

function keyForm({ name, visitor }: CallView): Html {
  const value = name !== null && 'idempotencyKey' in name ? name.idempotencyKey : ''
  return html`<h2 id="find">Find a call</h2>
<p class="muted">Enter the <code>Idempotency-Key</code> of a call whose response was lost. Looking it up is free.</p>
<form class="filters" action="${CALLS_PATH}/find" method="get">${modeField(visitor)}
<div class="wide"><label for="idempotency_key">Idempotency-Key</label><input id="idempotency_key" name="idempotency_key" type="text" value="${value}" maxlength="${LONGEST_IDEMPOTENCY_KEY}" autocomplete="off" required></div>
<div class="calls-to-action"><button type="submit">Find call</button></div>
</form>`
}

function outcome(shown: ShownCall, view: CallView): Html {
  const { state, action } = shown
  if (state.state === 'unknown')
    return note(
      'info',
      'No call with this Idempotency-Key is running or has a stored answer. A call that failed was not charged, and the same request can be sent again.',
    )
  const { call } = state
  return html`${call !== null && figures(call, shown)}
${call !== null && errorNote(call)}
${
  call !== null &&
  html`<h2 id="timeline">What happened</h2>
${callTimeline(call)}`
}
${action !== null && note('info', html`<strong>Billing rule:</strong> ${billingSentences(action).slice(0, 3).join(' ')}`)}
${facts(factsOf(shown))}
${again(shown)}
<h2 id="answer">Answer</h2>
${answer(shown, view)}
${storedBodies(shown)}
${call !== null && report(call, view)}`
}

function figures(call: CallRecord, { key }: ShownCall): Html {
  const { charge, charged_micros: charged, held_micros: held } = call
  return stats(
    [
      {
        label: 'Charged',
        value: charge === 'pending' ? 'Pending' : moneyText(charged),
        note:
          charge === 'pending' ? `up to ${moneyText(held)}` : `${countText(charged)} micro-dollars`,
      },
      {
        label: 'HTTP',
        value: call.http_status ?? '…',
        note: call.error?.code ?? (call.http_status === null ? 'running' : 'ok'),
      },
      { label: 'Duration', value: durationText(call.duration_ms) },
      {
        label: 'Key',
        value: key === null ? '–' : html`<bdi class="given">${key.label ?? 'No name'}</bdi>`,
        ...(key === null ? {} : { note: `${key.key_prefix}…` }),
      },
    ],
    { look: 'strip' },
  )
}

function errorNote({ error }: CallRecord): Html {
  if (error === null) return html``
  return note(
    'bad',
    html`<strong>${error.message}</strong> ${code(error.code)}${error.param !== null && html` in <code>${error.param}</code>`}<p>${error.fix}</p>`,
    { isQuiet: true },
  )
}

const CALL_STATES = {
  in_progress: 'In progress',
  answered: 'Finished',
  uncharged: 'Failed',
  unknown: 'Unknown',
} as const satisfies Record<CallDetail['state'], string>

const JOB_STATES = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Finished',
  failed: 'Failed',
} as const satisfies Record<JobOfCall['status'], string>

function factsOf({ state, job, key }: ShownCall): readonly (readonly [string, Cell])[] {
  const { call } = state
  const rows: readonly (readonly [string, Cell | null])[] = [
    ['State', job === null ? CALL_STATES[state.state] : JOB_STATES[job.status]],
    ['Began', state.created_at === null ? null : time(state.created_at)],
    ['Request ID', idCell(state.request_id)],
    ['Transaction ID', idCell(state.transaction_id)],
    ['Price ID', idCell(call?.price_id ?? null)],
    ['Key', key === null ? null : html`<bdi class="given">${keyName(key)}</bdi>`],
    ['External ID', call?.external_id == null ? null : html`<bdi>${call.external_id}</bdi>`],
  ]
  return rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}

function idCell(id: string | null): Html | null {
  return id === null
    ? null
    : html`<span class="given">${code(id)}</span> <button class="button quiet small needs-script" type="button" data-copy="${id}" aria-label="Copy ${id}">Copy</button>`
}

// Longer inputs do not fit into an address.
const LONGEST_INPUT = 6_000

/** With the input of the call, if it is stored as a whole. */
function again(shown: ShownCall): Html {
  const page = pageOf(shown)
  if (page === null) return html``
  const { bodies } = shown.state
  const input = bodies?.request ?? null
  const isWhole =
    input !== null && input.length <= LONGEST_INPUT && shown.state.call?.surface === 'api'
  const query = isWhole ? `?${new URLSearchParams({ input }).toString()}` : ''
  return html`<p class="calls-to-action">${linkButton(`${page}${query}`, isWhole ? 'Run again in the playground' : 'Open in the playground', { icon: 'play' })}</p>`
}

function storedBodies({ state: { bodies } }: ShownCall): Html {
  if (bodies === null) return html``
  const parts = [
    ['Request', bodies.request, bodies.request_chars],
    ['Response', bodies.response, bodies.response_chars],
  ] as const
  return html`<h2 id="bodies">Stored request and response</h2>
${parts.map(([title, text, chars]) => (text === null ? html`<p class="muted">${title}: not stored.</p>` : html`${codeBlock(text, 'json', title)}${chars > LONGEST_BODY && html`<p class="muted">The first ${LONGEST_BODY} of ${chars} characters.</p>`}`))}`
}

function answer({ state, job }: ShownCall, { visitor }: CallView): Html {
  const isJobDone = job !== null && job.result !== null
  if (state.answer === null && !isJobDone)
    return html`<p>${state.state === 'in_progress' ? 'The answer appears here when the call ends, if it is stored.' : 'No answer is stored.'}</p>
<p class="muted">Answers are stored for a day if the call has an <code>Idempotency-Key</code>. Results of jobs are stored for 30 days.</p>`
  return html`${isJobDone && html`<p>Result of the job:</p>${excerpt(job.result)}`}
${state.answer !== null && html`<p>Status ${state.answer.status}${state.answer_stored_until !== null && html`, stored until ${time(state.answer_stored_until)}`}. ${visitor.caller.mode === 'live' && html`<a href="/api/v1/calls/${state.request_id}">Open as JSON</a>`}</p>${excerpt(state.answer.body)}`}`
}

// Answers can have megabytes.
const LONGEST_EXCERPT = 20_000

function excerpt(body: unknown): Html {
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  const isCut = text.length > LONGEST_EXCERPT
  return html`${codeBlock(isCut ? `${text.slice(0, LONGEST_EXCERPT)}…` : text, 'json')}
${isCut && html`<p class="muted">The first ${LONGEST_EXCERPT} of ${text.length} characters.</p>`}`
}

function report(call: CallRecord, { visitor }: CallView): Html {
  const lines = [
    `Request: ${call.id}`,
    `Time: ${call.created_at}`,
    `Mode: ${visitor.caller.mode}`,
    `Action: ${actionName(call)}`,
    `HTTP status: ${call.http_status ?? 'running'}`,
    ...(call.error === null ? [] : [`Error: ${call.error.code}: ${call.error.message}`]),
    `Charge: ${moneyText(call.charged_micros)}`,
  ]
  return html`<details><summary>Report to the operator</summary>
<p class="muted">Send this to the operator of the gateway, and add what you expected. <code>./tollgate trace ${call.id}</code> shows them every step of the call.</p>
${codeBlock(lines.join('\n'), 'text')}</details>`
}
