/**
 * Actions whose price is below the vendor's list price at their largest count. The prices are the
 * specification's: the operator is warned, and can cap counts with COUNT_CAPS. From the vendors'
 * price pages of November 2026. A test fails for a row whose price covers the vendor's.
 */
import type { Service } from '../../catalog/vocabulary/define.ts'
import { formatDollars } from '../../lib/money.ts'
import type { BelowCostLine } from '../../operate/operate-deps.ts'
import { countOf } from '../wiring/cap-counts.ts'

export type BelowCost = {
  /** As "service/action". */
  readonly action: string
  /** The count that decides the vendor's price; null for a price per call. */
  readonly field: string | null
  /** The vendor's list price of a call, in micro-dollars. */
  readonly vendorMicros: (count: number) => number
  /** How the price comes about. */
  readonly basis: string
  readonly source: string
}

const EXA = 'https://exa.ai/docs/reference/pricing'
const FIRECRAWL = 'https://docs.firecrawl.dev/billing'
const FIRECRAWL_CREDIT = 5_000
const FASTCRW = 'https://fastcrw.com/pricing'
/** render2/scrape charges this for one credit. */
const FASTCRW_CREDIT = 10_000
const PER_PLAN = 'credits of $0.0008 to $0.005 by plan'

export const BELOW_COST: readonly BelowCost[] = [
  {
    action: 'semantic/search',
    field: 'numResults',
    vendorMicros: (count) => 15_000 + 1_000 * Math.max(0, count - 10) + 1_000 * count,
    basis:
      'deep-reasoning search $15 per 1000 with ten results, standard $7; further results and summaries $1 per 1000',
    source: EXA,
  },
  {
    action: 'render/crawl',
    field: 'limit',
    vendorMicros: (count) => FIRECRAWL_CREDIT * count,
    basis: `one credit per page; ${PER_PLAN}`,
    source: FIRECRAWL,
  },
  {
    action: 'render/search',
    field: 'limit',
    vendorMicros: (count) => FIRECRAWL_CREDIT * 2 * Math.ceil(count / 10),
    basis: `two credits per ten results; ${PER_PLAN}`,
    source: FIRECRAWL,
  },
  {
    action: 'render2/search',
    field: 'limit',
    vendorMicros: (count) => FASTCRW_CREDIT * (1 + count),
    basis: 'with the pages: one credit per search and per page, each 1¢ as in render2/scrape',
    source: FASTCRW,
  },
  {
    action: 'render2/crawl',
    field: 'maxPages',
    vendorMicros: (count) => FASTCRW_CREDIT * (1 + count),
    basis: 'one credit at the start and per page, each 1¢ as in render2/scrape',
    source: FASTCRW,
  },
  {
    action: 'cited/deep-search',
    field: null,
    vendorMicros: () => 55_000,
    basis: 'deep search $0.05, with a composed answer $0.055',
    source: 'https://docs.linkup.so/pages/documentation/development/pricing',
  },
]

/** The rows that still apply with the caps of `services`, to vendors with a key in `upstreams`. */
export function findBelowCost(
  services: readonly Service[],
  upstreams: ReadonlyMap<string, unknown>,
): readonly BelowCostLine[] {
  return BELOW_COST.flatMap(({ action: name, field, vendorMicros, basis, source }) => {
    const [id = '', actionName = ''] = name.split('/')
    const service = services.find((one) => one.id === id)
    const action = service?.actions[actionName]
    if (action?.price.kind !== 'flat' || !upstreams.has(service?.vendor?.label ?? id)) return []
    const count = field === null ? null : (countOf(action, field)?.maximum ?? null)
    const vendor = BigInt(vendorMicros(count ?? 1))
    if (vendor <= action.price.amount) return []
    return [
      {
        action: name,
        price: formatDollars(action.price.amount),
        vendorPrice: formatDollars(vendor),
        count: count === null || field === null ? null : `${field} ${count}`,
        basis,
        source,
      },
    ]
  })
}
