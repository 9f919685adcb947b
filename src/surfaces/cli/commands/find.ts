import { createDiscover, type ScoredHit } from '../../../composites/discover/create-discover.ts'
import { listServices } from '../../../app/wiring/own/read-own.ts'
import type { Command } from '../command.ts'

const MOST_HITS = 5

export const find: Command = {
  name: 'find',
  summary: 'find the action for a task, as core/discover does',
  flags: {},
  operand: { value: '<task>', about: 'the task in your own words, in quotation marks' },
  example: './tollgate find "read a web page as markdown"',
  async run({ operand }, tools) {
    const discover = createDiscover({
      services: await listServices(tools.config(), tools.now()),
      laneOf: () => ({ live: 'vendor', lanes: ['vendor'] }),
    })
    const hits = discover.search(operand, MOST_HITS).hits.map(withoutLive)
    return {
      data: { query: operand, hits },
      text:
        hits.length === 0 ? 'No matching actions. Try other words.' : hits.map(lineOf).join('\n'),
    }
  },
}

/** The command does not open the gateway, so it cannot report which actions are live. */
function withoutLive(hit: ScoredHit): Omit<ScoredHit, 'live'> {
  const { live: _, ...rest } = hit
  return rest
}

function lineOf(hit: Omit<ScoredHit, 'live'>): string {
  const name = `${hit.service}/${hit.action}${hit.endpoint === null ? '' : ` ${hit.endpoint}`}`
  const doubt = hit.confidence === 'high' ? '' : ' (a guess)'
  return `${name}  ${hit.price_cents}¢  ${Math.round(hit.probability * 100)} %${doubt}  ${hit.summary}`
}
