import { compareJson, type Difference } from '../../../../src/cassettes/compare-json.ts'
import type { Recording } from './cassette-client.ts'
import type { LiveAnswer, Replayed } from './replay-live.ts'

/**
 * "shape": a member was added, removed or has another type. "values": only values or lengths of lists
 * differ. "status": one of the two is an error, or another error.
 */
export type Verdict = 'same' | 'values' | 'shape' | 'status' | 'skipped'

export type Comparison = {
  readonly route: string
  readonly input: unknown
  readonly verdict: Verdict
  readonly reason?: string
  readonly differences: readonly Difference[]
  readonly recordedMicros: number
  readonly liveMicros: number | null
}

/** Differ between any two calls, or in the envelope, and carry no meaning. */
const VOLATILE = new Set(['request_id', 'job_id', 'id', 'created', 'created_at', 'started_at'])
const VOLATILE_ENDS = new Set(['finished_at', 'deadline_at', 'system_fingerprint', 'attempt'])

export function compareLive({ recording, live, skipped }: Replayed): Comparison {
  const { route, input, charged_micros: recordedMicros } = recording
  if (live === null)
    return {
      route,
      input,
      verdict: 'skipped',
      differences: [],
      recordedMicros,
      liveMicros: null,
      ...(skipped === undefined ? {} : { reason: skipped }),
    }
  const differences = compareJson(meaningOf(recording), meaningIn(recording, live)).filter(
    ({ path }) => !isVolatile(path),
  )
  const verdict = verdictOf(recording, live, differences)
  return { route, input, verdict, differences, recordedMicros, liveMicros: live.chargedMicros }
}

function verdictOf(
  { status }: Recording,
  live: LiveAnswer,
  differences: readonly Difference[],
): Verdict {
  const isError = status >= 400
  if (isError !== live.status >= 400) return 'status'
  if (differences.length === 0) return 'same'
  if (isError) return 'status'
  return differences.some(changesShape) ? 'shape' : 'values'
}

/** The data of an action, a completion, the text of a stream, or the code of an error. */
function meaningOf({ route, status, answer, events }: Recording): unknown {
  if (status >= 400) return codeIn(answer)
  if (events !== undefined) return { text: textOf(events) }
  return route.startsWith('run/') ? (answer as { readonly data?: unknown } | null)?.data : answer
}

function meaningIn({ route }: Recording, { status, answer }: LiveAnswer): unknown {
  if (status >= 400) return codeIn(answer)
  return route.startsWith('run/') ? (answer as { readonly data?: unknown }).data : answer
}

function codeIn(answer: unknown): object {
  return { code: (answer as { readonly code?: unknown } | null)?.code }
}

function textOf(events: readonly string[]): string {
  let text = ''
  for (const event of events) {
    const data = event.replace(/^data: /, '').trim()
    if (!data.startsWith('{')) continue
    const { choices } = JSON.parse(data) as {
      readonly choices?: readonly { readonly delta?: { readonly content?: string } }[]
    }
    text += choices?.[0]?.delta?.content ?? ''
  }
  return text
}

function isVolatile(path: string): boolean {
  const last = path.split('.').at(-1) ?? ''
  const isTop = !path.includes('.')
  return VOLATILE_ENDS.has(last) || (isTop && VOLATILE.has(last))
}

function changesShape({ path, recorded, sent }: Difference): boolean {
  if (recorded === undefined || sent === undefined) return !path.endsWith(']')
  return kindOf(recorded) !== kindOf(sent)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}
