/** /pricing: the prices of each category, the billing rules, and an example calculation. */
import type { Published } from '../../../../catalog/published/catalog-index.ts'
import { amountText, listedMost, priceBlock } from '../../../../catalog/published/price-block.ts'
import type { Action, Service } from '../../../../catalog/vocabulary/define.ts'
import { formatDollars, maxMicros, minMicros, type Micros } from '../../../../lib/money.ts'
import { toMicrosRoundedUp } from '../../../../llm/tokens/token-price.ts'
import { badge } from '../components/badge.ts'
import { linkButton } from '../components/button.ts'
import { facts } from '../components/card.ts'
import { pageHeader } from '../components/page-header.ts'
import { table, type Cell } from '../components/table.ts'
import { anchor } from '../components/text.ts'
import { html, type Html } from '../html.ts'
import { layout, type Site } from '../layout/layout.ts'
import { categoryTitle } from './catalog/narrow.ts'
import { countActions } from './landing-tiles.ts'
import { modelPath, type ModelOffer } from './models/model-offer.ts'

export function pricingPage(site: Site, published: Published, offer: ModelOffer): string {
  return layout(site, {
    path: '/pricing',
    title: 'Pricing',
    description: 'Prices of every category, charged and free calls, and an example calculation.',
    main: html`${pageHeader({
      title: 'Pricing',
      lead: 'Pay per call from one balance. No subscription, and no charge for a failure. Every price is known before the call.',
      actions: linkButton('/catalog', 'Browse the catalog', { kind: 'quiet' }),
    })}
<section aria-labelledby="categories"><h2 id="categories">Prices by category</h2>
${categoryTable(published.services)}
<p class="muted">The lowest and the highest listed price, of a call or of a unit such as a page. Each action’s page has its exact rule. ${offer.models.length > 0 && html`Language models are charged by the token: <a href="/models">models and prices</a>.`}</p></section>
<div class="two-columns"><section aria-labelledby="rules"><h2 id="rules">Charged and free calls</h2>
${facts(RULES)}</section>
<section aria-labelledby="lock"><h2 id="lock">Prices that do not surprise</h2>
<ul>
<li><b>Before the call</b>, the gateway sets the highest price aside. A call that the balance does not cover is rejected, free.</li>
<li><b>After the call</b>, it charges the price of the result, never more, and releases the rest.</li>
<li><code>max_cost_cents</code> limits the cost of one call. A <a href="/docs/keys">key</a> limits a day, a week or a month.</li>
<li>The <a href="/docs/price-lock">price lock</a> stores the prices that your program expects. A build fails if one changes, and the SDKs send no call above its locked price.</li>
</ul></section></div>
${exampleSection(published.services, offer)}`,
  })
}

const RULES: readonly (readonly [string, Html | string])[] = [
  ['A useful result', html`${badge('charged', 'Charged')} at the listed price`],
  [
    'Some of the requested units',
    html`${badge('charged', 'Charged')} for the delivered units, unless the action’s rule differs`,
  ],
  [
    'Nothing found',
    html`${badge('free', 'Not charged')} for most actions; the page of the action names exceptions`,
  ],
  ['Failure, timeout or block', badge('free', 'Not charged')],
  ['Rejected request', badge('free', 'Not charged')],
  [
    'Repeat with the same Idempotency-Key',
    html`${badge('free', 'Not charged')} again for 24 hours`,
  ],
  ['Calls with a test key', html`${badge('test', 'Play money')} and simulated answers`],
  ['Searching for actions with core/discover', badge('free', 'Not charged')],
  [
    'Results and cancellation of jobs',
    html`${badge('free', 'Not charged')} with <code>core/result</code> and <code>core/cancel</code>`,
  ],
  ['Descriptions and prices', html`${badge('free', 'Not charged')} and public`],
]

function categoryTable(services: readonly Service[]): Html {
  const rows = [...Map.groupBy(services, ({ category }) => category)].map(
    ([category, members]): Cell[] => {
      const actions = members.flatMap((service) => Object.values(service.actions))
      const paid = actions.filter(({ price }) => price.kind !== 'free')
      const least = leastOf(
        paid
          .map((action) => BigInt(priceBlock(action).price_micros))
          .filter((amount) => amount > 0n),
      )
      return [
        html`<a class="category-name" href="/catalog#${anchor(category)}">${categoryTitle(category)}</a>`,
        countActions(members).toLocaleString('en'),
        paid.length === 0 ? 'free' : amountText(least),
        paid.length === 0 ? 'free' : amountText(maxMicros(0n, ...paid.map(listedMost))),
        freeCount(actions),
      ]
    },
  )
  return table(
    'Prices by category',
    [
      'Category',
      { figures: 'Actions' },
      { figures: 'From' },
      { figures: 'To' },
      { figures: 'Free actions' },
    ],
    rows,
  )
}

function leastOf([first = 0n, ...rest]: readonly Micros[]): Micros {
  return minMicros(first, ...rest)
}

function freeCount(actions: readonly Action[]): string {
  const free = actions.filter(({ price }) => price.kind === 'free').length
  return free === 0 ? '–' : String(free)
}

/** Calls of a day of a research agent. Actions that the catalog lacks are left out. */
const EXAMPLE = [
  ['semantic', 'search', 400, 'web searches'],
  ['core', 'onescrape', 1_000, 'pages read'],
  ['emailintel', 'email-verifier', 100, 'email addresses verified'],
] as const

const TIER = 'core/cheap'
const [ANSWERS, READ_TOKENS, WRITTEN_TOKENS] = [1_000, 4_000, 400]

type Line = {
  readonly name: Html
  readonly count: number
  readonly each: string
  readonly sum: Micros
}

function exampleSection(services: readonly Service[], { tiers, isLive }: ModelOffer): Html | false {
  const calls = EXAMPLE.flatMap(([service, name, count, what]): Line[] => {
    const action = services.find(({ id }) => id === service)?.actions[name]
    if (action === undefined) return []
    const each = BigInt(priceBlock(action).price_micros)
    const link = html`${what}, <a href="/catalog/${service}/${name}"><code>${service}/${name}</code></a>`
    return [{ name: link, count, each: amountText(each), sum: BigInt(count) * each }]
  })
  const first = tiers.get(TIER)?.[0]
  const answers: Line[] =
    // Prices of a simulation are no prices of this gateway.
    first === undefined || !isLive
      ? []
      : [
          {
            name: html`answers of <a href="${modelPath(TIER)}"><code>${TIER}</code></a> (${first.model.name}), each with ${READ_TOKENS.toLocaleString('en')} tokens of input and ${WRITTEN_TOKENS} of output`,
            count: ANSWERS,
            each: `${formatDollars(first.rates.prompt)} and ${formatDollars(first.rates.completion)} per 1M tokens`,
            sum:
              BigInt(ANSWERS) *
              toMicrosRoundedUp(
                BigInt(READ_TOKENS) * first.rates.prompt +
                  BigInt(WRITTEN_TOKENS) * first.rates.completion,
              ),
          },
        ]
  const lines = [...calls, ...answers]
  if (lines.length === 0) return false
  const total = lines.reduce((sum, line) => sum + line.sum, 0n)
  return html`<section aria-labelledby="example"><h2 id="example">Example: a day of a research agent</h2>
<p>All of these calls succeed. Any that fail cost nothing.</p>
${table(
  'Example calculation',
  ['Calls', { figures: 'Number' }, { figures: 'Price of one' }, { figures: 'Sum' }],
  lines.map(({ name, count, each, sum }): Cell[] => [
    name,
    count.toLocaleString('en'),
    each,
    formatDollars(sum),
  ]),
)}
<p class="price-total"><span class="muted">From the current prices of this gateway</span> <strong>Total ${formatDollars(total)}</strong></p></section>`
}
