/** Calls the recorded calls again with a live key. */
import { TollgateError, type ChatRequest, type Tollgate } from '../../../sdk/src/index.ts'
import type { CassetteApi, Recording } from './cassette-client.ts'

/** A live answer in the form of a recorded one. */
export type LiveAnswer = {
  readonly status: number
  readonly answer: unknown
  readonly chargedMicros: number
}

export type Replayed = {
  readonly recording: Recording
  /** Null for a call that was not made. */
  readonly live: LiveAnswer | null
  readonly skipped?: 'unsupported' | 'limit'
}

const CHAT = 'llm/chat/completions'
const POLLS = ['run/core/result', 'run/media/result']

/**
 * Makes the calls in their order until they have cost `limitMicros`, so the last call can exceed it.
 * Waits for jobs, whose new ids replace the recorded ones in later inputs.
 */
export async function* callAgain(
  { client, signal }: CassetteApi,
  recordings: readonly Recording[],
  limitMicros: number,
): AsyncGenerator<Replayed, void, void> {
  const jobIds = new Map<string, string>()
  let spent = 0
  for (const recording of recordings) {
    if (!recording.route.startsWith('run/') && recording.route !== CHAT) {
      yield { recording, live: null, skipped: 'unsupported' }
      continue
    }
    if (spent >= limitMicros && recording.charged_micros > 0) {
      yield { recording, live: null, skipped: 'limit' }
      continue
    }
    const input = withNewJob(recording, jobIds)
    const live = await callOnce(client, { ...recording, input }, signal)
    spent += live.chargedMicros
    const [former, present] = [jobIdIn(recording.answer), jobIdIn(live.answer)]
    if (former !== null && present !== null && !POLLS.includes(recording.route)) {
      jobIds.set(former, present)
      // A failed job has an answer, too; the recorded poll is compared with it.
      const job = await client.waitFor(present, { signal }).catch((error: unknown) => {
        if (error instanceof TollgateError) return null
        throw error
      })
      spent += job?.charged_micros ?? 0
    }
    yield { recording, live }
  }
}

async function callOnce(
  client: Tollgate,
  { route, input, events }: Recording,
  signal: AbortSignal,
): Promise<LiveAnswer> {
  try {
    if (route !== CHAT) {
      const { data, charged } = await client.run(route.slice('run/'.length), input, { signal })
      return { status: 200, answer: { data }, chargedMicros: charged.micros }
    }
    const request = input as unknown as ChatRequest
    if (events !== undefined) {
      const stream = client.chat.stream(request, { signal, resumable: false })
      const text = await stream.text()
      return { status: 200, answer: { text }, chargedMicros: toMicros(stream.usage?.cost) }
    }
    const { data, charged } = await client.chat.create(request, { signal })
    return { status: 200, answer: data, chargedMicros: charged.micros }
  } catch (error) {
    if (!(error instanceof TollgateError) || error.status === 0) throw error
    const { status, code, message, chargedMicros } = error
    return { status, answer: { code, message }, chargedMicros }
  }
}

const MICROS_PER_DOLLAR = 1_000_000
const toMicros = (dollars: number | undefined): number =>
  Math.round((dollars ?? 0) * MICROS_PER_DOLLAR)

function withNewJob({ input }: Recording, jobIds: ReadonlyMap<string, string>): Recording['input'] {
  const { job_id: recorded } = input
  const present = typeof recorded === 'string' ? jobIds.get(recorded) : undefined
  return present === undefined ? input : { ...input, job_id: present }
}

function jobIdIn(answer: unknown): string | null {
  const { data } = (answer ?? {}) as { readonly data?: { readonly job_id?: unknown } }
  return typeof data?.job_id === 'string' ? data.job_id : null
}
