import { endpointAmount, amountText } from '../../../../../catalog/published/price-block.ts'
import { endpointName } from '../../../../../catalog/titles/endpoint-names.ts'
import { html, type Html } from '../../html.ts'
import { endpointPath, type EndpointView } from './endpoint-paths.ts'

const MOST_RELATED = 6

/** Endpoints of the same group with the most words of the title in common. */
export function relatedEndpoints({ service, name, action, entry }: EndpointView): Html | false {
  const own = endpointName(service, name, entry.endpoint)
  const words = wordsOf(own.title)
  const others = action.endpoints
    .filter((other) => other !== entry)
    .map((other) => ({ other, ...endpointName(service, name, other.endpoint) }))
  const near = others.filter(({ group }) => group === own.group)
  const related = (near.length === 0 ? others : near)
    .map(({ other, title }) => ({
      other,
      title,
      shared: [...wordsOf(title)].filter((word) => words.has(word)).length,
    }))
    .toSorted((one, two) => two.shared - one.shared)
    .slice(0, MOST_RELATED)
  return (
    related.length > 0 &&
    html`<section aria-labelledby="related"><h2 id="related">Related</h2>
<ul class="related">${related.map(
      ({
        other,
        title,
      }) => html`<li><a href="${endpointPath(service.id, name, other.endpoint)}">${title}</a><span class="price">${amountText(endpointAmount(action, other))}</span></li>
`,
    )}</ul></section>`
  )
}

function wordsOf(title: string): ReadonlySet<string> {
  return new Set(title.toLowerCase().match(/[a-z]{3,}/g) ?? [])
}
