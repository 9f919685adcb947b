/** Writes a completion as one body or as events, with the requested faults. */
import type { Fields } from '../../lib/json-fields.ts'
import { shortHash } from '../../simulators/content.ts'
import type { ModelFault } from '../../simulators/model-content.ts'
import type { SimulatedReply } from '../../simulators/vendor.ts'

/** `count` is the number of choices, all with the same text. */
export type Said = {
  readonly pieces: readonly string[]
  readonly tool: string | null
  readonly finish: string
  readonly count: number
}

export function whole(
  base: Fields,
  { pieces, tool, finish, count }: Said,
  usage: Fields | null,
  faults: readonly ModelFault[],
): SimulatedReply {
  const text = pieces.join('')
  const message =
    tool === null
      ? { role: 'assistant', content: text }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `call_${shortHash(text)}`,
              type: 'function',
              function: { name: tool, arguments: text },
            },
          ],
        }
  if (faults.some(({ name }) => name === 'error'))
    return {
      status: 200,
      json: {
        ...base,
        object: 'chat.completion',
        error: { code: 502, message: 'Simulated failure of the provider.' },
        choices: [],
      },
    }
  const answer = JSON.stringify({
    ...base,
    object: 'chat.completion',
    system_fingerprint: null,
    choices: Array.from({ length: count }, (_, index) => ({
      index,
      message,
      finish_reason: finish,
    })),
    ...(usage === null ? {} : { usage }),
  })
  return { status: 200, contentType: 'application/json', pieces: [answer], ...cutOf(faults) }
}

export function streamed(
  base: Fields,
  { pieces, tool, finish, count }: Said,
  usage: Fields | null,
  faults: readonly ModelFault[],
): SimulatedReply {
  const event = (choices: readonly unknown[], more: Fields = {}): string =>
    `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const delta = (content: Fields, reason: string | null = null): string =>
    Array.from({ length: count }, (_, index) =>
      event([{ index, delta: content, finish_reason: reason }]),
    ).join('')
  const spoken =
    tool === null
      ? [delta({ role: 'assistant', content: '' }), ...pieces.map((content) => delta({ content }))]
      : [
          delta({
            role: 'assistant',
            tool_calls: [
              {
                index: 0,
                id: `call_${shortHash(pieces.join(''))}`,
                type: 'function',
                function: { name: tool, arguments: '' },
              },
            ],
          }),
          ...pieces.map((part) =>
            delta({ tool_calls: [{ index: 0, function: { arguments: part } }] }),
          ),
        ]
  const breaks = faults.find((fault) => fault.name === 'error')
  const events =
    breaks !== undefined && 'at' in breaks
      ? [
          ...spoken.slice(0, breaks.at),
          event([{ index: 0, delta: { content: '' }, finish_reason: 'error' }], {
            error: {
              code: 502,
              message: 'Simulated failure of the provider.',
              metadata: { error_type: 'provider_unavailable' },
            },
          }),
        ]
      : [
          ...spoken,
          ...(faults.some(({ name }) => name === 'nofinish')
            ? []
            : [
                delta({ content: '' }, finish),
                ...(usage === null ? [] : [event([], { usage })]),
                'data: [DONE]\n\n',
              ]),
        ]
  return {
    status: 200,
    contentType: 'text/event-stream',
    pieces: [': SIMULATED PROCESSING\n\n', ...events],
    ...paceOf(faults),
  }
}

/** How the requested faults delay and cut a reply. */
export function paceOf(
  faults: readonly ModelFault[],
): Pick<SimulatedReply, 'paceMs' | 'cutAtByte'> {
  const drip = faults.find((fault) => fault.name === 'drip')
  return {
    ...(drip !== undefined && 'at' in drip ? { paceMs: drip.at } : {}),
    ...cutOf(faults),
  }
}

function cutOf(faults: readonly ModelFault[]): { cutAtByte?: number } {
  const die = faults.find((fault) => fault.name === 'die')
  return die !== undefined && 'at' in die ? { cutAtByte: die.at } : {}
}
