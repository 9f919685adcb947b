/** The page of one media model, which `media/generate` runs. */
import type { Published } from '../../../../../catalog/published/catalog-index.ts'
import { billingSentences } from '../../../../../catalog/published/billing-block.ts'
import { amountText } from '../../../../../catalog/published/price-block.ts'
import { cheapestResult, isSync, priceRangeOf } from '../../../../../catalog/prices/media-price.ts'
import type { MediaModel, Rate, Rule } from '../../../../../catalog/vocabulary/media-model.ts'
import { fieldRows, stats, type FieldRow } from '../../components/card.ts'
import { pageHeader } from '../../components/page-header.ts'
import { playground, PLAYGROUND_ISLANDS } from '../../components/playground/playground.ts'
import { table, type Cell } from '../../components/table.ts'
import { tabs } from '../../components/tabs.ts'
import { laneBadge, prose } from '../../components/text.ts'
import { html, type Html } from '../../html.ts'
import { layout, type Site } from '../../layout/layout.ts'
import { KIND_NAMES, modelPath, ratesText, type mediaOf } from './model-offer.ts'
import { modelsAddress } from './model-query.ts'

type Media = NonNullable<ReturnType<typeof mediaOf>>

export type MediaModelView = { readonly media: Media; readonly model: MediaModel }

export function mediaModelPage(
  site: Site,
  { publicUrl }: Published,
  { media, model }: MediaModelView,
): string {
  const { key, title, kind } = model
  const path = modelPath(key)
  const { least, most } = priceRangeOf([model])
  return layout(site, {
    path,
    title,
    description: `${title}: ${ratesText(model)}, parameters, and example code for media/generate.`,
    islands: PLAYGROUND_ISLANDS,
    main: html`<article class="split wide-side">
<div>
${pageHeader({
  title,
  crumbs: [
    { label: 'Models', href: '/models' },
    { label: KIND_NAMES[kind], href: modelsAddress({ kind }) },
    { label: title },
  ],
  lead: html`A model of <a href="/catalog/${media.service}/generate"><code>${media.service}/generate</code></a>. ${isSync(model) ? 'The response contains the file.' : 'It runs as a job.'}`,
  meta: html`<code>${key}</code>`,
})}
${stats(
  [
    { label: 'Price', value: ratesText(model) },
    { label: 'Cheapest result', value: amountText(cheapestResult([model])) },
    { label: 'On this gateway', value: laneBadge(media.isLive(model)) },
  ],
  { look: 'strip' },
)}
${tabs('Parts of this page', [
  { href: '#prices', label: 'Prices' },
  { href: '#parameters', label: 'Inputs' },
  { href: '#billing', label: 'Billing' },
])}
<section aria-labelledby="prices"><h2 id="prices">Prices</h2>
${priceTable(model)}
<p class="muted">One call costs ${amountText(least)} to ${amountText(most)}, depending on its input.</p></section>
<section aria-labelledby="parameters"><h2 id="parameters">Inputs</h2>
${fieldRows([
  {
    name: 'model',
    type: 'string',
    required: true,
    text: 'The model of this page.',
    detail: html`<code>${JSON.stringify(key)}</code>`,
  },
  ...Object.entries(model.params).map(([name, rule]) => inputRow(name, rule, media.params[name])),
])}</section>
<section aria-labelledby="billing"><h2 id="billing">Billing</h2>
<ul>${billingSentences(media.action)
      .slice(1)
      .map((sentence) => html`<li>${sentence}</li>`)}</ul></section>
</div>
<section class="sticky" aria-labelledby="try"><h2 class="visually-hidden" id="try">Try it</h2>
${playground({
  publicUrl,
  service: media.service,
  name: 'generate',
  action: media.action,
  example: exampleInput(model),
  live: media.isLive(model),
  path,
})}
</section>
</article>`,
  })
}

function priceTable({ rates, unit }: MediaModel): Html {
  const hasImages = rates.some(({ perInputImage }) => perInputImage !== undefined)
  return table(
    'Prices',
    ['Input', { figures: `Per ${unit}` }, ...(hasImages ? [{ figures: 'Per input image' }] : [])],
    rates.map((rate): Cell[] => [
      whenText(rate, rates.length),
      amountText(rate.rate),
      ...(hasImages
        ? [rate.perInputImage === undefined ? '–' : amountText(rate.perInputImage)]
        : []),
    ]),
  )
}

function whenText({ when }: Rate, count: number): Html | string {
  if (when === undefined) return count === 1 ? 'All' : 'All other'
  return html`${Object.entries(when).map(([name, value], at) => html`${at > 0 && ' and '}<code>${name}</code> ${String(value)}`)}`
}

function inputRow(name: string, rule: Rule, schema: unknown): FieldRow {
  const { type, description } = (schema ?? {}) as { type?: unknown; description?: unknown }
  const limits = [
    ...(rule.values === undefined ? [] : [`One of ${rule.values.join(', ')}.`]),
    ...(rule.least === undefined ? [] : [`At least ${rule.least}.`]),
    ...(rule.most === undefined
      ? []
      : [`At most ${rule.most.toLocaleString('en')}${type === 'string' ? ' characters' : ''}.`]),
    ...(rule.default === undefined ? [] : [`Default ${String(rule.default)}.`]),
    ...(rule.with === undefined ? [] : [`Needs ${rule.with}.`]),
  ]
  return {
    name,
    type: typeof type === 'string' ? type : typeof (rule.values?.[0] ?? rule.default ?? ''),
    required: rule.required === true,
    text: prose(typeof description === 'string' ? description : ''),
    ...(limits.length === 0 ? {} : { detail: limits.join(' ') }),
  }
}

/** A value for each parameter that some model requires. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  prompt: 'A paper boat on a calm lake, watercolour.',
  text: 'The gate opens at nine.',
  file_url: 'https://example.com/clip.mp4',
  output_format: 'webm',
  image_url: 'https://example.com/portrait.png',
  video_url: 'https://example.com/clip.mp4',
  audio_url: 'https://example.com/voice.mp3',
  video_urls: ['https://example.com/first.mp4', 'https://example.com/second.mp4'],
  tracks: [
    {
      id: 'main',
      type: 'video',
      keyframes: [{ url: 'https://example.com/clip.mp4', timestamp: 0, duration: 5_000 }],
    },
  ],
}

/** The smallest call of the model. */
export function exampleInput({ key, params }: MediaModel): Readonly<Record<string, unknown>> {
  const required = Object.entries(params).filter(([, rule]) => rule.required === true)
  return { model: key, ...Object.fromEntries(required.map(([name]) => [name, EXAMPLES[name]])) }
}
