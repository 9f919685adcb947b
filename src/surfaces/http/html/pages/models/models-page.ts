/** /models: the language models of the router and the media models, with prices and filters. */
import type { Published } from '../../../../../catalog/published/catalog-index.ts'
import { amountText } from '../../../../../catalog/published/price-block.ts'
import { cheapestResult, isSync } from '../../../../../catalog/prices/media-price.ts'
import type { MediaModel } from '../../../../../catalog/vocabulary/media-model.ts'
import { formatDollars } from '../../../../../lib/money.ts'
import type { Candidate } from '../../../../../llm/lists/model.ts'
import { badge } from '../../components/badge.ts'
import { linkButton, submitButton } from '../../components/button.ts'
import { field, selectField } from '../../components/field.ts'
import { emptyState, note } from '../../components/note.ts'
import { pageHeader } from '../../components/page-header.ts'
import { table, type Cell } from '../../components/table.ts'
import { segments } from '../../components/tabs.ts'
import { laneBadge } from '../../components/text.ts'
import { html, type Html } from '../../html.ts'
import { layout, type Site } from '../../layout/layout.ts'
import {
  KIND_NAMES,
  makerOf,
  mediaOf,
  modelPath,
  ratesText,
  tokenRateText,
  tokensText,
  type ModelOffer,
} from './model-offer.ts'
import {
  accepts,
  findLanguageModels,
  findMediaModels,
  isPlain,
  MEDIA_SORTS,
  MODEL_KINDS,
  modelsAddress,
  NEEDS,
  SORTS,
  type ModelKind,
  type ModelQuery,
} from './model-query.ts'

export type ModelsView = { readonly offer: ModelOffer; readonly query: ModelQuery }

const MODELS_ON_A_PAGE = 100

export function modelsPage(site: Site, published: Published, { offer, query }: ModelsView): string {
  const media = mediaOf(published)
  const language = findLanguageModels(offer.models, query)
  const ofMedia = findMediaModels(media?.models ?? [], { ...query, kind: 'media' })
  // A search that only media models match shows those.
  const kind = query.kind ?? (language.length === 0 && ofMedia.length > 0 ? 'media' : 'language')
  const countOf = (one: ModelKind): number =>
    one === 'language'
      ? language.length
      : findMediaModels(media?.models ?? [], { ...query, kind: one }).length
  const shown = { ...query, kind }
  return layout(site, {
    path: '/models',
    title: 'Models',
    description:
      'The language models and media models of this gateway, with context lengths and prices.',
    unlisted: !isPlain(query),
    main: html`${pageHeader({
      title: 'Models',
      lead: html`Point an OpenAI or Anthropic client at <code>/api/llm/v1</code>, and name a model or a tier. Images, videos and sound are calls of <code>media/generate</code>.`,
    })}
${isPlain(query) && tierCards(offer)}
<div class="model-kinds">${segments(
      'Kinds of models',
      MODEL_KINDS.map((one) => ({
        href: kindAddress(query, one),
        label: `${kindName(one)} ${countOf(one)}`,
      })),
      kindAddress(query, kind),
    )}</div>
${kind === 'language' ? languageList(offer, language, shown) : mediaList(findMediaModels(media?.models ?? [], shown), shown, media?.isLive ?? (() => false))}`,
  })
}

function kindName(kind: ModelKind): string {
  if (kind === 'language') return 'Language'
  return kind === 'media' ? 'All media' : KIND_NAMES[kind]
}

/** Filters of language models alone are left out for other kinds. */
function kindAddress({ q }: ModelQuery, kind: ModelKind): string {
  return modelsAddress({ kind, q })
}

const TIER_USES: Readonly<Record<string, string>> = {
  'core/cheap': 'Sorting, extracting, short answers',
  'core/mid': 'Everyday work of agents',
  'core/best': 'Long tasks, code, judgment',
}

function tierCards({ tiers }: ModelOffer): Html {
  return html`<section aria-label="Tiers"><div class="cards model-tiers">${[...tiers].map(
    ([tier, members]) => {
      const [first] = members
      return (
        first !== undefined &&
        html`<div class="card"><div class="card-head"><h2><a href="${modelPath(tier)}"><code>${tier}</code></a></h2>${tier === 'core/mid' && badge('info', 'Start here')}</div>
${TIER_USES[tier] !== undefined && html`<p class="muted">${TIER_USES[tier]}</p>`}
<p class="model-price"><b>${tokenRateText(first.rates.prompt)}</b> in <span aria-hidden="true">/</span> <b>${tokenRateText(first.rates.completion)}</b> out</p>
<p class="small muted">per 1M tokens, first choice of the tier</p>
<ol>${members.map(({ id, model }) => html`<li><a href="${modelPath(id)}">${model.name}</a></li>`)}</ol></div>
`
      )
    },
  )}</div></section>`
}

function languageList(
  { tiers, models, isLive }: ModelOffer,
  found: readonly Candidate[],
  query: ModelQuery,
): Html {
  const makers = [...Map.groupBy(models, ({ id }) => makerOf(id))]
    .map(([maker, own]) => [maker, `${maker} (${own.length})`] as const)
    .toSorted(([one], [other]) => one.localeCompare(other))
  const pages = Math.max(1, Math.ceil(found.length / MODELS_ON_A_PAGE))
  const page = Math.min(query.page, pages)
  const rows = found.slice((page - 1) * MODELS_ON_A_PAGE, page * MODELS_ON_A_PAGE)
  const tierOf = (id: string): string =>
    [...tiers]
      .flatMap(([tier, members]) => (members.some((one) => one.id === id) ? [tier] : []))
      .join(', ')
  return html`<section aria-labelledby="list"><h2 id="list" class="visually-hidden">Language models</h2>
${!isLive && note('info', html`No upstream for language models is set up on this gateway. These are the simulated models of test keys. <a href="/docs/router">Set up the router</a>.`)}
${filterForm(query, [
  selectField({
    name: 'maker',
    label: 'Maker',
    options: [['', 'All'], ...makers],
    chosen: query.maker,
  }),
  selectField({ name: 'needs', label: 'Accepts', options: NEEDS, chosen: query.needs }),
  selectField({ name: 'sort', label: 'Order', options: SORTS, chosen: query.sort }),
])}
${
  rows.length === 0
    ? nothing(query, models.length === 0)
    : table(
        'Language models',
        [
          'Model',
          'Maker',
          'Tier',
          { figures: 'Context' },
          { figures: 'Input / 1M' },
          { figures: 'Cached / 1M' },
          { figures: 'Output / 1M' },
          'Accepts',
          'On this gateway',
        ],
        rows.map(({ id, model, rates }): Cell[] => [
          nameCell(id, model.name),
          makerOf(id),
          tierOf(id) === '' ? '–' : html`<code>${tierOf(id)}</code>`,
          tokensText(model.contextLength),
          tokenRateText(rates.prompt),
          rates.cacheRead === undefined ? '–' : formatDollars(rates.cacheRead),
          tokenRateText(rates.completion),
          acceptsText(model),
          laneBadge(isLive),
        ]),
      )
}
${foot(found.length, query, { page, pages })}</section>`
}

function acceptsText(model: Candidate['model']): string {
  return [...model.inputModalities, ...(accepts(model, 'tools') ? ['tools'] : [])].join(', ')
}

function mediaList(
  found: readonly MediaModel[],
  query: ModelQuery,
  isLive: (model: MediaModel) => boolean,
): Html {
  return html`<section aria-labelledby="list"><h2 id="list" class="visually-hidden">Media models</h2>
${filterForm(query, [selectField({ name: 'sort', label: 'Order', options: MEDIA_SORTS, chosen: query.sort })])}
${
  found.length === 0
    ? nothing(query, false)
    : table(
        'Media models',
        [
          'Model',
          'Kind',
          'Price',
          { figures: 'Cheapest result' },
          'Needs',
          'Answers',
          'On this gateway',
        ],
        found.map((model): Cell[] => [
          nameCell(model.key, model.title),
          KIND_NAMES[model.kind],
          ratesText(model),
          amountText(cheapestResult([model])),
          html`${requiredOf(model).map((name, at) => html`${at > 0 && ', '}<code>${name}</code>`)}`,
          isSync(model) ? 'directly' : 'as a job',
          laneBadge(isLive(model)),
        ]),
      )
}
${foot(found.length, query, { page: 1, pages: 1 })}</section>`
}

function requiredOf({ params }: MediaModel): string[] {
  return Object.entries(params).flatMap(([name, { required }]) => (required === true ? [name] : []))
}

function nameCell(id: string, name: string): Html {
  return html`<a class="model-name" href="${modelPath(id)}">${name}</a> <code class="model-id">${id}</code>`
}

function filterForm({ kind, q }: ModelQuery, selects: readonly Html[]): Html {
  return html`<form class="filters model-filters" action="/models" method="get" role="search"><input type="hidden" name="kind" value="${kind}">
${field({ name: 'q', label: 'Name', type: 'search', value: q, maxLength: 100, autocomplete: 'off' })}${selects}<div class="field">${submitButton('Filter', { kind: 'quiet', icon: 'search' })}</div></form>`
}

function nothing(query: ModelQuery, isEmpty: boolean): Html {
  return isEmpty
    ? emptyState(
        'spark',
        'The list of models is not available at the moment. Try again in a minute.',
      )
    : emptyState(
        'search',
        'No models match these filters.',
        linkButton(modelsAddress({ kind: query.kind }), 'Remove the filters', { kind: 'quiet' }),
      )
}

function foot(
  count: number,
  query: ModelQuery,
  { page, pages }: { readonly page: number; readonly pages: number },
): Html {
  const to = (other: number): string => modelsAddress({ ...query, page: other })
  return html`<p class="muted" role="status">${count === 1 ? '1 model' : `${count.toLocaleString('en')} models`}${pages > 1 && `, page ${page} of ${pages}`}. Prices are in US dollars. <a href="/pricing">Billing rules</a></p>
${
  pages > 1 &&
  html`<nav class="calls-to-action" aria-label="Pages of the list">${page > 1 && linkButton(to(page - 1), 'Previous', { kind: 'quiet' })}${page < pages && linkButton(to(page + 1), 'Next', { kind: 'quiet' })}</nav>`
}`
}
