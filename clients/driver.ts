/** A client under test, with its steps for each scenario. */

/** The addresses, the key and the model that a scenario uses. */
export type Bed = {
  /** The base URL of OpenAI's clients: …/api/llm/v1. */
  readonly baseUrl: string
  /** The base URL of Anthropic's clients: …/api/llm. */
  readonly anthropicUrl: string
  readonly mcpUrl: string
  /** A key made for this scenario. */
  readonly key: string
  readonly model: string
  /** A temporary folder of the scenario. */
  readonly folder: string
}

export const SCENARIOS = [
  'answer',
  'stream',
  'tool call',
  'structured output',
  'abort',
  '402',
  '429',
  'replay',
] as const
export type Scenario = (typeof SCENARIOS)[number]

/** Throws when the client did not get what it should. A text explains why the client lacks the scenario. */
export type Step = ((bed: Bed) => Promise<void>) | string

export type Driver = {
  /** As in the table. */
  readonly name: string
  readonly package: string
  /** The API that it speaks. */
  readonly api: 'chat' | 'messages' | 'responses' | 'embeddings' | 'mcp'
  readonly steps: Readonly<Record<Scenario, Step>>
}

export function expect(isTrue: boolean, what: string, seen: unknown): asserts isTrue {
  if (!isTrue) throw new Error(`Expected ${what}; got ${shorten(seen)}`)
}

/** The error that `work` rejects with. Throws when it succeeds. */
export async function failureOf(work: () => Promise<unknown>): Promise<Record<string, unknown>> {
  let result: unknown
  try {
    result = await work()
  } catch (error) {
    return error as Record<string, unknown>
  }
  throw new Error(`Expected an error; got ${shorten(result)}`)
}

/** Expects an error with the HTTP status, in whichever property the client keeps it. */
export async function expectStatus(status: number, work: () => Promise<unknown>): Promise<void> {
  const error = await failureOf(work)
  const seen = statusesIn(error)
  expect(seen.includes(status), `an error with status ${status}`, [seen, String(error)])
}

function statusesIn(error: unknown, depth = 0): number[] {
  if (typeof error !== 'object' || error === null || depth > 3) return []
  const fields = error as Record<string, unknown>
  const own = [fields['status'], fields['statusCode'], fields['code']].filter(
    (value): value is number => typeof value === 'number',
  )
  const inner = [fields['cause'], fields['lastError'], fields['error'], fields['response']]
  return [...own, ...inner.flatMap((value) => statusesIn(value, depth + 1))]
}

/** The beginning and the end of a long value: commands print their errors last. */
function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length <= 800 ? text : `${text.slice(0, 200)} … ${text.slice(-600)}`
}
