/** Search results: every vendor finds the same pages for a query, so that their lists overlap like real ones. */
import { DAY_MS, type Clock } from '../lib/clock.ts'
import { pageFor, shortHash, toMarkdown } from './content.ts'
import { faultOf } from './faults.ts'

export type SimulatedHit = {
  readonly url: string
  readonly title: string
  readonly description: string
  /** The whole page. */
  readonly markdown: string
  readonly publishedAt: string
  readonly score: number
}

type HitOptions = { readonly now: Clock; readonly domains?: readonly string[] }

const MOST_HITS = 100
const HOSTS = ['example.com', 'example.org', 'example.net']

/** `count` hits starting at `from`. Empty if the query requests a miss from the vendor `label`. */
export function hitsFor(
  query: string,
  label: string,
  options: HitOptions & { readonly count: number; readonly from?: number },
): SimulatedHit[] {
  const { count, from = 0 } = options
  if (faultOf(query, label)?.kind === 'miss') return []
  return Array.from({ length: Math.max(0, Math.min(count, MOST_HITS - from)) }, (_, index) =>
    hitAt(query, from + index, options),
  )
}

export function hitAt(
  query: string,
  index: number,
  { now, domains = [] }: HitOptions,
): SimulatedHit {
  const hosts = domains.length > 0 ? domains : HOSTS
  const url = `https://${hosts[index % hosts.length]}/${slugOf(query)}-${shortHash(`${query} ${index}`)}`
  const page = pageFor(url)
  return {
    url,
    title: page.title,
    description: page.description,
    get markdown() {
      return toMarkdown(page)
    },
    publishedAt: new Date(now() - (index + 1) * DAY_MS).toISOString(),
    score: Math.max(0, Math.round((0.95 - index * 0.02) * 1000) / 1000),
  }
}

function slugOf(query: string): string {
  const words = query
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return words.slice(0, 60) || 'page'
}
