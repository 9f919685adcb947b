/** Other actions for the same need, and how their prices compare. */
import type { Published } from '../../../../../catalog/published/catalog-index.ts'
import { leastCharge } from '../../../../../catalog/prices/price.ts'
import { priceText } from '../../../../../catalog/published/price-block.ts'
import type { Entry } from '../../../../../catalog/index.ts'
import { html, type Html } from '../../html.ts'

export type RelatedAction = { readonly service: string; readonly name: string }

/** `related`: best first. */
export function relatedActions(
  { services }: Published,
  entry: Entry,
  related: readonly RelatedAction[],
): Html | false {
  const own = leastCharge(entry.action)
  const items = related.flatMap(({ service, name }) => {
    const action = services.find(({ id }) => id === service)?.actions[name]
    return action === undefined ? [] : [{ id: `${service}/${name}`, action }]
  })
  return (
    items.length > 0 &&
    html`<section aria-labelledby="related"><h2 id="related">Related actions</h2>
<ul class="related-cards">${items.map(({ id, action }) => {
      const price = leastCharge(action)
      const compared = price < own ? 'Cheaper. ' : price > own ? 'Costs more. ' : ''
      return html`<li><a href="/catalog/${id}"><strong>${action.title}</strong><span class="price">${priceText(action)}</span><span>${compared}${action.summary}</span></a></li>
`
    })}</ul></section>`
  )
}
