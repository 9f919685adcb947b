import type { Command } from '../command.ts'
import { readWhole } from '../input/read-value.ts'
import { table } from '../output/table.ts'
import { widthFor } from '../terminal.ts'

type Hit = {
  readonly service: string
  readonly action: string
  readonly endpoint: string | null
  readonly price_cents: number
  readonly required_params: readonly string[]
  readonly summary: string
  readonly live: boolean
  readonly confidence: string
}

const USUAL_HITS = 5

export const search: Command = {
  name: 'search',
  summary: 'find an action by a task in your own words; free',
  operand: { value: '<task>', about: 'the task, in quotation marks' },
  flags: { limit: { value: '<count>', about: `the most actions; default: ${USUAL_HITS}` } },
  example: 'search "read a web page as markdown"',
  async run({ operands, flags }, { connect, signal, terminal }) {
    const limit = readWhole('limit', flags['limit']?.[0], USUAL_HITS)
    const { data } = await connect
      .open()
      .run<{ readonly hits: readonly Hit[] }>(
        'core/discover',
        { query: operands[0] ?? '', limit },
        { signal },
      )
    const rows = data.hits.map((hit) => [
      `${hit.service}/${hit.action}${hit.endpoint === null ? '' : ` ${hit.endpoint}`}`,
      hit.price_cents === 0 ? 'free' : `from ${hit.price_cents}¢`,
      hit.live ? 'yes' : 'no',
      `${hit.confidence === 'high' ? '' : '(a guess) '}${hit.summary}`,
    ])
    return {
      data,
      text:
        rows.length === 0
          ? 'No matching actions. Try other words.'
          : `${table(['action', 'price', 'live', 'summary'], rows, widthFor(terminal))}\n\n"${terminal.program} describe ${rows[0]?.[0]?.replace(' ', ' --endpoint ') ?? ''}" shows its inputs.`,
    }
  },
}
