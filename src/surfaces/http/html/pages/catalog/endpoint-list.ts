/** The endpoints of a passthrough action by platform, on the page of the action. */
import { amountText, endpointAmount } from '../../../../../catalog/published/price-block.ts'
import { endpointName } from '../../../../../catalog/titles/endpoint-names.ts'
import type {
  EndpointAction,
  EndpointEntry,
  Service,
} from '../../../../../catalog/vocabulary/define.ts'
import { submitButton } from '../../components/button.ts'
import { emptyState } from '../../components/note.ts'
import { anchor } from '../../components/text.ts'
import { html, type Html } from '../../html.ts'
import { endpointPath } from './endpoint-paths.ts'

type Line = { readonly entry: EndpointEntry; readonly title: string; readonly group: string }

/** Lists with fewer endpoints show all groups open. */
const MOST_OPEN = 60

/** `find`: the words that the title or path must contain; '' for all. */
export function endpointList(
  service: Service,
  name: string,
  action: EndpointAction,
  find: string,
): Html {
  const lines = action.endpoints.map((entry): Line => {
    const { title, group } = endpointName(service, name, entry.endpoint)
    return { entry, title, group: group ?? 'All endpoints' }
  })
  const found = lines.filter((line) => matches(line, find))
  const groups = [...Map.groupBy(found, ({ group }) => group)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  const isOpen = find !== '' || lines.length <= MOST_OPEN
  return html`<section aria-labelledby="endpoints" data-endpoint-list><h2 id="endpoints">Endpoints</h2>
<p>Send <code>endpoint</code>, one of these ${lines.length.toLocaleString('en')}, and the parameters of the endpoint. Each has its own page with parameters and an example.</p>
<form class="catalog-search" method="get" action="/catalog/${service.id}/${name}#endpoints" role="search"><label class="visually-hidden" for="find">Filter the endpoints</label><input id="find" name="find" type="search" value="${find}" maxlength="100" placeholder="Filter ${lines.length.toLocaleString('en')} endpoints" autocomplete="off">${submitButton('Filter', { kind: 'quiet' })}</form>
<p class="muted" role="status" data-count>${countText(found.length, lines.length, find)}</p>
${groups.map(
  ([group, members]) =>
    html`<details class="endpoint-group" id="${anchor(group)}"${isOpen && html` open`}><summary><h3>${group}</h3><span>${members.length}</span></summary>
<ul>${members.map((line) => endpointItem(service, name, action, line))}</ul></details>
`,
)}${found.length === 0 && emptyState('search', html`No endpoint contains “${find}”.`, html`<a href="/catalog/${service.id}/${name}#endpoints">Show all endpoints</a>`)}</section>`
}

function endpointItem(
  service: Service,
  name: string,
  action: EndpointAction,
  { entry, title }: Line,
): Html {
  return html`<li><a href="${endpointPath(service.id, name, entry.endpoint)}">${title}</a><code>${entry.endpoint}</code><span>${amountText(endpointAmount(action, entry))}</span></li>
`
}

function countText(found: number, all: number, find: string): string {
  return find === ''
    ? `${all.toLocaleString('en')} endpoints`
    : `${found.toLocaleString('en')} of ${all.toLocaleString('en')} endpoints`
}

function matches({ title, entry }: Line, find: string): boolean {
  const text = `${title} ${entry.endpoint}`.toLowerCase()
  return find
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
