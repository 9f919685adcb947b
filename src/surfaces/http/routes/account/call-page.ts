import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { CallState } from '../../../../history/find-call.ts'
import type { CallName, JobOfCall } from '../../../../history/stored-answers.ts'
import type { TransactionRecord } from '../../../../history/transaction-record.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { type Cell } from '../../html/components/table.ts'
import { codeBlock } from '../../html/components/code-card.ts'
import { code, time } from '../../html/components/text.ts'
import { LONGEST_IDEMPOTENCY_KEY } from '../../idempotency.ts'
import { accountHeading, keyName } from './account-components.ts'
import { accountUrl, modeField } from './account-url.ts'
import { actionCell, amountCell, durationText, STATUS_LABELS } from './call-labels.ts'

export const CALLS_PATH = '/balance/calls'

/** A call with its transaction, job and key, as far as they exist. */
export type ShownCall = {
  readonly state: CallState
  readonly line: TransactionRecord | null
  readonly job: JobOfCall | null
  readonly key: KeyRecord | null
}

export type CallView = {
  readonly visitor: Visitor
  /** Null for the empty form, and for an invalid name. */
  readonly name: CallName | null
  readonly call: ShownCall | null
  /** Actions with a catalog page, as `service/action`. */
  readonly actionIds: ReadonlySet<string>
  readonly problem?: string
}

export function callPage(site: Site, view: CallView): string {
  const { visitor, call, problem } = view
  return layout(site, {
    path: CALLS_PATH,
    title: 'Call',
    description: 'The state of a call and its stored answer.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    main: html`<p><a href="${accountUrl('/balance', visitor)}">← Balance</a></p>
${accountHeading('Call', CALLS_PATH, visitor)}
${problem !== undefined && html`<p class="notice" role="alert">${problem}</p>`}
${call !== null && outcome(call, view)}
${keyForm(view)}`,
  })
}

function keyForm({ name, visitor }: CallView): Html {
  const value = name !== null && 'idempotencyKey' in name ? name.idempotencyKey : ''
  return html`<h2 id="find">Find a call</h2>
<p class="muted">Enter the <code>Idempotency-Key</code> of a call whose response was lost. Looking it up is free.</p>
<form class="filters" action="${CALLS_PATH}" method="get">${modeField(visitor)}
<div class="wide"><label for="idempotency_key">Idempotency-Key</label><input id="idempotency_key" name="idempotency_key" type="text" value="${value}" maxlength="${LONGEST_IDEMPOTENCY_KEY}" autocomplete="off" required></div>
<div class="calls-to-action"><button type="submit">Find call</button></div>
</form>`
}

function outcome(call: ShownCall, view: CallView): Html {
  if (call.state.state === 'unknown')
    return html`<p class="notice">No call with this Idempotency-Key is running or has a stored answer. A call that failed was not charged, and the same request can be sent again.</p>`
  return html`<dl class="facts">${factsOf(call, view).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<h2 id="answer">Answer</h2>
${answer(call, view)}`
}

const CALL_STATES = {
  in_progress: 'In progress',
  answered: 'Finished',
  uncharged: 'Failed',
  unknown: 'Unknown',
} as const satisfies Record<CallState['state'], string>

const JOB_STATES = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Finished',
  failed: 'Failed',
} as const satisfies Record<JobOfCall['status'], string>

function factsOf(
  { state, line, job, key }: ShownCall,
  { actionIds }: CallView,
): readonly (readonly [string, Cell])[] {
  const facts: readonly (readonly [string, Cell | null])[] = [
    ['State', job === null ? CALL_STATES[state.state] : JOB_STATES[job.status]],
    ['Action', line === null ? null : actionCell(line, actionIds)],
    ['Payment', line === null ? null : paymentCell(line)],
    ['Error', state.error_code === null ? null : code(state.error_code)],
    ['Began', state.created_at === null ? null : time(state.created_at)],
    ['Duration', line === null ? null : durationText(line.latency_ms)],
    ['Key', key === null ? null : html`<bdi class="given">${keyName(key)}</bdi>`],
    [
      'Request ID',
      state.request_id === null ? null : html`<span class="given">${code(state.request_id)}</span>`,
    ],
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}

function paymentCell(line: TransactionRecord): Cell {
  const label = STATUS_LABELS[line.status]
  return line.status === 'released' ? label : html`${label}, ${amountCell(line)}`
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
