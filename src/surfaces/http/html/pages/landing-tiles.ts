import type { Published } from '../../../../catalog/published/catalog-index.ts'
import { priceBlock } from '../../../../catalog/published/price-block.ts'
import type { Service } from '../../../../catalog/vocabulary/define.ts'
import { icon, type IconName } from '../components/icon.ts'
import { anchor } from '../components/text.ts'
import { html, type Html } from '../html.ts'

type Tile = {
  readonly title: string
  readonly text: string
  readonly icon: IconName
  readonly categories: readonly string[]
}

/** Groups of catalog categories. Categories that no group names are in the last tile. */
const TILES: readonly Tile[] = [
  {
    title: 'Search and read the web',
    text: 'Search, crawl, screenshots, pages behind bot walls',
    icon: 'globe',
    categories: ['web search', 'scraping', 'composite'],
  },
  {
    title: 'Social platforms',
    text: 'TikTok, Instagram, LinkedIn, YouTube, Reddit, maps',
    icon: 'chat',
    categories: ['social data', 'social and places'],
  },
  {
    title: 'People and companies',
    text: 'Contacts, email checks, funding, hiring, tech stacks',
    icon: 'people',
    categories: ['people and companies'],
  },
  {
    title: 'Public records',
    text: 'Filings, courts, patents, registers, trials, papers',
    icon: 'bank',
    categories: ['public records', 'compliance', 'data', 'research'],
  },
  {
    title: 'Markets and property',
    text: 'Crypto, prediction markets, rankings, real estate, prices',
    icon: 'bars',
    categories: ['market data', 'real estate', 'commerce'],
  },
  {
    title: 'Language models',
    text: 'Three tiers with fallback, in the APIs of OpenAI and Anthropic',
    icon: 'spark',
    categories: ['language models'],
  },
  {
    title: 'Images, video and speech',
    text: 'Images, videos, music and voices from many models',
    icon: 'image',
    categories: ['media'],
  },
  {
    title: 'Compute and browsers',
    text: 'Sandboxes, browsers, git repositories, files, inboxes',
    icon: 'box',
    categories: ['compute', 'browser', 'files', 'inboxes'],
  },
]

const OTHER = {
  title: 'Everything else',
  text: 'All other services of this gateway',
  icon: 'grid',
} as const

type Models = { readonly languageModels: number; readonly mediaModels: number }

export function landingTiles({ services }: Published, models: Models): Html {
  const modelsOf: Readonly<Record<string, number>> = {
    'language models': models.languageModels,
    media: models.mediaModels,
  }
  const named = TILES.map((tile) => ({
    tile,
    members: services.filter(({ category }) => tile.categories.includes(category)),
  }))
  const known = new Set(named.flatMap(({ members }) => members))
  const others = services.filter((service) => !known.has(service))
  const shown = [...named, { tile: OTHER, members: others }].filter(
    ({ members }) => members.length > 0,
  )
  return html`<ul class="tiles">${shown.map(({ tile, members }) => tileItem(tile, members, modelsOf[members[0]?.category ?? ''] ?? 0))}</ul>`
}

function tileItem(
  tile: Omit<Tile, 'categories'>,
  members: readonly Service[],
  models: number,
): Html {
  return html`<li><a class="tile" href="/catalog#${anchor(members[0]?.category ?? '')}"><span class="tile-icon">${icon(tile.icon)}</span><strong>${tile.title}</strong><span>${tile.text}</span><span class="figures"><span>${offerText(members, models)}</span>${lowestPrice(members)}</span></a></li>
`
}

/** Actions and endpoints, which callers choose from alike. */
export function countActions(services: readonly Service[]): number {
  const actions = services.flatMap((service) => Object.values(service.actions))
  return actions.reduce(
    (sum, action) => sum + (action.kind === 'endpoint' ? action.endpoints.length : 1),
    0,
  )
}

/** Models, which callers choose by name, or else actions and endpoints. */
function offerText(services: readonly Service[], models: number): string {
  if (models > 0) return models === 1 ? '1 model' : `${models.toLocaleString('en')} models`
  const count = countActions(services)
  return count === 1 ? '1 action' : `${count.toLocaleString('en')} actions`
}

function lowestPrice(services: readonly Service[]): Html | string {
  const prices = services
    .flatMap((service) => Object.values(service.actions))
    .map((action) => priceBlock(action))
    .filter(({ price_cents: cents }) => cents > 0)
    .toSorted((left, right) => left.price_cents - right.price_cents)
  const [least] = prices
  if (least === undefined) return 'free'
  const text =
    least.price_cents >= 100
      ? `$${(least.price_cents / 100).toFixed(2)}`
      : `${least.price_cents_text}¢`
  return html`<span>from <b>${text}</b></span>`
}
