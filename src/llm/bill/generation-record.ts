/** An aggregator's record of a generation: the only exact bill of a stream without usage. */
import { setTimeout as pause } from 'node:timers/promises'
import { Deadline } from '../../lib/deadline.ts'
import { fieldsOf, isFields, parseFields, type Fields } from '../../lib/json-fields.ts'
import { exchange, type Incoming } from '../../upstream/exchange.ts'
import { headersFor, type ModelUpstream } from '../ask/upstream.ts'
import { readUsage, type ReportedUsage } from './usage.ts'

export type RecordTimes = {
  /** For all attempts together. */
  readonly recordMs: number
  /** Before the second attempt; doubles before each further one. */
  readonly recordPauseMs: number
}

/** Ids of recorded generations, in OpenRouter's format. */
const RECORDED_ID = /^gen-[\w-]{1,200}$/
const MOST_RECORD_BYTES = 256 * 1024

/** Polls until the record exists, some seconds after the generation. Null without one. */
export async function readGenerationRecord(
  upstream: ModelUpstream,
  id: unknown,
  { recordMs, recordPauseMs }: RecordTimes,
): Promise<ReportedUsage | null> {
  if (typeof id !== 'string' || !RECORDED_ID.test(id)) return null
  const request = {
    origin: upstream.origin,
    path: `${upstream.basePath}/generation?id=${id}`,
    method: 'GET',
    headers: { accept: 'application/json', ...headersFor(upstream) },
    body: null,
  }
  const deadline = new Deadline(recordMs)
  try {
    for (let pauseMs = recordPauseMs; !deadline.isOver; pauseMs *= 2) {
      const answer = await exchange(upstream.dispatcher, request, {
        deadline,
        maxBytes: MOST_RECORD_BYTES,
      }).catch(() => null)
      const body = answer === null ? null : parseFields(answer.text)
      if (answer?.status === 200) return usageIn(fieldsOf(body?.['data']))
      if (answer !== null && !mayCome(answer, body)) return null
      await pause(pauseMs, undefined, { signal: deadline.signal })
    }
    return null
  } catch {
    // The deadline has passed.
    return null
  } finally {
    deadline.end()
  }
}

/**
 * Reports whether the record may still appear: pending generations are API errors, while a server
 * without records returns a plain 404.
 */
function mayCome({ status }: Incoming, body: Fields | null): boolean {
  return status === 429 || status >= 500 || (status === 404 && isFields(body?.['error']))
}

function usageIn(record: Fields): ReportedUsage | null {
  return readUsage({
    prompt_tokens: record['native_tokens_prompt'] ?? record['tokens_prompt'],
    completion_tokens: record['native_tokens_completion'] ?? record['tokens_completion'],
    prompt_tokens_details: { cached_tokens: record['native_tokens_cached'] },
    completion_tokens_details: { reasoning_tokens: record['native_tokens_reasoning'] },
    cost: record['total_cost'],
    is_byok: record['is_byok'],
  })
}
