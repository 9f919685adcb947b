/** Recorded streams of upstreams, event by event, with the upstream's charge. */
import { event, say } from './model-upstream.ts'

export type RecordedStream = {
  readonly name: string
  readonly model: string
  readonly canThink: boolean
  /** The request's fields in addition to model and messages. */
  readonly body: Readonly<Record<string, unknown>>
  readonly events: readonly string[]
  /** The answer tokens of each event. */
  readonly tokens: readonly number[]
  /** The answer tokens in total, including hidden ones. */
  readonly completionTokens: number
  /** The index of the event that gives the last choice its finish reason. */
  readonly finishedAt: number
  /** The upstream stores a record of the generation under this id. */
  readonly recordedAs?: string
}

export const PROMPT_TOKENS = 11
// Each word is one token.
const WORDS = ['The', ' ledger', ' keeps', ' every', ' charge']
const HIDDEN = 500
const USAGE_ASKED = { stream_options: { include_usage: true } }

const choice = (index: number, delta: object, reason: string | null = null): string =>
  event({ choices: [{ index, delta, finish_reason: reason }] })
const usageOf = (completion: number, reasoning = 0) => ({
  prompt_tokens: PROMPT_TOKENS,
  completion_tokens: completion,
  completion_tokens_details: { reasoning_tokens: reasoning },
})
const usageEvent = (completion: number, reasoning = 0): string =>
  event({ choices: [], usage: usageOf(completion, reasoning) })
const DONE = 'data: [DONE]\n\n'

type Draft = Omit<RecordedStream, 'events' | 'tokens' | 'finishedAt' | 'body'> & {
  readonly body?: RecordedStream['body']
  readonly said: readonly (readonly [string, number])[]
  readonly finish: string
  readonly rest: readonly string[]
}

function recorded({ said, finish, rest, body = {}, ...facts }: Draft): RecordedStream {
  const events = [...said.map(([text]) => text), finish, ...rest]
  return {
    ...facts,
    body,
    events,
    tokens: events.map((_, place) => said[place]?.[1] ?? 0),
    finishedAt: said.length,
  }
}

const role = [choice(0, { role: 'assistant', content: '' }), 0] as const
const words = WORDS.map((word) => [say(word), 1] as const)
const stop = choice(0, {}, 'stop')
const call = (parts: object): string => choice(0, { tool_calls: [{ index: 0, ...parts }] })

export const RECORDED_STREAMS: readonly RecordedStream[] = [
  recorded({
    name: 'words of a model that cannot think',
    model: 'plain/words',
    canThink: false,
    said: [role, ...words],
    finish: stop,
    rest: [usageEvent(5), DONE],
    completionTokens: 5,
  }),
  recorded({
    name: 'hidden thoughts before two words',
    model: 'thinking/hidden',
    canThink: true,
    body: USAGE_ASKED,
    said: [[': PROCESSING\n\n', 0], role, ...words.slice(0, 2)],
    finish: stop,
    rest: [': PROCESSING\n\n', usageEvent(2 + HIDDEN, HIDDEN), DONE],
    completionTokens: 2 + HIDDEN,
  }),
  recorded({
    name: 'hidden thoughts without a usage, after answers that had one',
    model: 'thinking/hidden',
    canThink: true,
    body: USAGE_ASKED,
    said: [role, ...words.slice(0, 2)],
    finish: stop,
    rest: [DONE],
    completionTokens: 2 + HIDDEN,
  }),
  recorded({
    name: 'thoughts that are shown',
    model: 'thinking/shown',
    canThink: true,
    said: [
      role,
      ...WORDS.map((reasoning) => [choice(0, { reasoning }), 1] as const),
      ...words.slice(0, 1),
    ],
    finish: stop,
    rest: [usageEvent(6, 5), DONE],
    completionTokens: 6,
  }),
  recorded({
    name: 'a call of a tool',
    model: 'plain/tool',
    canThink: false,
    body: { tools: [{ type: 'function', function: { name: 'f' } }] },
    said: [
      [call({ id: 'c', type: 'function', function: { name: 'charge', arguments: '' } }), 1],
      [call({ function: { arguments: ' every' } }), 1],
      [call({ function: { arguments: ' ledger' } }), 1],
    ],
    finish: choice(0, {}, 'tool_calls'),
    rest: [usageEvent(3), DONE],
    completionTokens: 3,
  }),
  recorded({
    name: 'a usage in the event of the finish reason',
    model: 'plain/joined',
    canThink: false,
    body: USAGE_ASKED,
    said: [role, ...words],
    finish: event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: usageOf(5) }),
    rest: [DONE],
    completionTokens: 5,
  }),
  recorded({
    name: 'a usage with every event',
    model: 'plain/running',
    canThink: false,
    said: words.map(
      ([, tokens], place) =>
        [
          event({
            choices: [{ index: 0, delta: { content: WORDS[place] }, finish_reason: null }],
            usage: usageOf(place + 1),
          }),
          tokens,
        ] as const,
    ),
    finish: event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: usageOf(5) }),
    rest: [DONE],
    completionTokens: 5,
  }),
  recorded({
    name: 'no usage of a model that cannot think',
    model: 'plain/unreported',
    canThink: false,
    said: [role, ...words],
    finish: stop,
    rest: [DONE],
    completionTokens: 5,
  }),
  recorded({
    name: 'no usage, and a record with more tokens than were seen',
    model: 'plain/recorded',
    canThink: false,
    said: [role, ...words],
    finish: stop,
    rest: [DONE],
    completionTokens: 45,
    recordedAs: 'gen-1',
  }),
  recorded({
    name: 'two choices, one after the other',
    model: 'plain/choices',
    canThink: false,
    body: { n: 2 },
    said: [
      [choice(0, { content: 'The' }), 1],
      [choice(0, { content: ' ledger' }), 1],
      [choice(0, {}, 'stop'), 0],
      [choice(1, { content: 'The' }), 1],
      [choice(1, { content: ' charge' }), 1],
    ],
    finish: choice(1, {}, 'stop'),
    rest: [usageEvent(4), DONE],
    completionTokens: 4,
  }),
  recorded({
    name: 'two choices with hidden thoughts, in turns',
    model: 'thinking/choices',
    canThink: true,
    body: { n: 2 },
    said: [
      [choice(0, { content: 'The' }), 1],
      [choice(1, { content: 'The' }), 1],
      [choice(0, {}, 'stop'), 0],
      [choice(1, { content: ' ledger' }), 1],
    ],
    finish: choice(1, {}, 'length'),
    rest: [usageEvent(3 + 2 * HIDDEN, 2 * HIDDEN), DONE],
    completionTokens: 3 + 2 * HIDDEN,
  }),
]

/** The list of the upstream's models, at 4 micro-dollars per prompt token and 20 per answer token. */
export const RECORDED_MODELS = {
  data: [...new Map(RECORDED_STREAMS.map(({ model, canThink }) => [model, canThink]))].map(
    ([id, canThink]) => ({
      id,
      pricing: { prompt: '0.000004', completion: '0.00002' },
      supported_parameters: ['max_tokens', ...(canThink ? ['reasoning'] : [])],
    }),
  ),
}
