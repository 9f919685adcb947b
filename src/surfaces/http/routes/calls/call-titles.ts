import { FETCH_NAME } from '../../../../calls/fetch/fetch-and-pay.ts'
import type { Catalog } from '../../../../catalog/index.ts'
import type { CallRecord } from '../../../../history/calls/call-record.ts'
import { SERVICE as ROUTER } from '../../../../llm/bill/active-completion.ts'
import { code } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'

type Named = Pick<CallRecord, 'service' | 'action'>

/** Such as "core/onescrape"; for language models the model. Empty for a request without an action. */
export function actionName({ service, action }: Named): string {
  if (service === ROUTER) return action ?? ''
  return [service, action].filter((part) => part !== null).join('/')
}

/** The title of an action for people; null for an unknown one. */
export type TitleOf = (call: Named) => string | null

export function createTitles(catalog: Pick<Catalog, 'allActions'>): TitleOf {
  let all: ReturnType<Catalog['allActions']> = []
  let titles: ReadonlyMap<string, string> = new Map()
  return ({ service, action }) => {
    // The operator may replace the catalog.
    if (all !== catalog.allActions()) {
      all = catalog.allActions()
      titles = new Map(
        all.map((entry) => [`${entry.service.id}/${entry.name}`, entry.action.title]),
      )
    }
    if (service === ROUTER) return 'Language model'
    if (service === FETCH_NAME.service) return 'Paid fetch'
    return titles.get(`${service}/${action}`) ?? null
  }
}

/** The title and the name, as the text of a link. */
export function callName(call: Named, titleOf: TitleOf): Html {
  const [title, name] = [titleOf(call), actionName(call)]
  if (title === null) return name === '' ? html`Unknown action` : code(name)
  return html`${title} ${name !== '' && code(name)}`
}
