import { html, type Html } from '../../html/html.ts'
import { fieldOf } from './forms.ts'

const USUAL = '/balance'

/** Those that ask a stranger to sign in, with their queries. */
const PAGE =
  /^\/(?:balance(?:\/spending)?|account|keys(?:\/agk_\w{1,64})?)(?:\?[\w=&%.+*~-]{0,1000})?$/

/**
 * The page that somebody wanted who is to sign in first: they come to it afterwards. What is named is not to be believed,
 * because a link of another site may name anything, so it is one of a few pages of this gateway, or else the balance.
 */
export function nextPage(named: string): string {
  return PAGE.test(named) ? named : USUAL
}

/** The same, of a form that was sent or a query. */
export function nextOf(fields: unknown): string {
  return nextPage(fieldOf(fields, 'next'))
}

/** A page on the way, such as the one for a link by mail, that remembers where its visitor wants to go. */
export function withNext(next: string, page: string): string {
  return next === USUAL ? page : `${page}?${new URLSearchParams({ next }).toString()}`
}

/** What forms carry on the way. */
export function nextField(next: string): Html {
  return html`<input type="hidden" name="next" value="${next}">`
}
