/** Tools for tests of handlers. `answers` defines the outcome of each "service/action"; `steps` records the calls. */
import type { CallTools, Hop, Invocation, Skip } from '../../../catalog/vocabulary/handlers.ts'
import { empty, failed, type Data, type Outcome } from '../../../catalog/vocabulary/outcome.ts'

export type Step = {
  readonly name: string
  readonly input: Data
  readonly limitMs: number | undefined
}
export type Answers = Readonly<Record<string, (input: Data) => Outcome | Promise<Outcome>>>

export const NOW_MS = Date.UTC(2026, 10, 20, 12)

/** An action without an entry is not configured. */
export function fakeTools(answers: Answers): CallTools & { readonly steps: Step[] } {
  const steps: Step[] = []
  return {
    steps,
    mode: 'test',
    accountId: '0'.repeat(32),
    keyId: null,
    scope: 'account',
    callId: '0'.repeat(32),
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    now: () => NOW_MS,
    isLive: (service, action) => answers[`${service}/${action}`] !== undefined,
    invoke: async (service, action, input, limitMs): Promise<Invocation> => {
      const answer = answers[`${service}/${action}`]
      if (answer === undefined) return skip(service, action, 'not_configured')
      steps.push({ name: `${service}/${action}`, input, limitMs })
      const outcome = await answer(input)
      return { hop: hopOf(service, action, outcome), outcome }
    },
  }
}

function skip(service: string, action: string, skipped: Skip): Invocation {
  const outcome = failed('upstream_not_configured', 'Skipped.')
  return { hop: { ...hopOf(service, action, outcome), skipped }, outcome }
}

const STEP_PRICE_MICROS = 10_000

function hopOf(provider: string, action: string, outcome: Outcome): Hop {
  const ok = outcome.kind === 'done' || outcome.kind === 'partial'
  return {
    provider,
    action,
    ok,
    charged_cents: ok ? 1 : 0,
    charged_micros: ok ? STEP_PRICE_MICROS : 0,
    latency_ms: 5,
  }
}

/** A reply of semantic/search with these URLs. */
export function found(...urls: readonly string[]): Outcome {
  if (urls.length === 0) return empty({ results: [] })
  return {
    kind: 'done',
    data: {
      results: urls.map((url) => ({
        url,
        title: `Title of ${url}`,
        highlights: [`About ${url}`],
        publishedDate: '2026-11-19T00:00:00.000Z',
      })),
    },
  }
}
