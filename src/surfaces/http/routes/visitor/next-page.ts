import { html, type Html } from '../../html/html.ts'
import { fieldOf } from './forms.ts'

const DEFAULT_PAGE = '/balance'

/** The longest query of /oauth/authorize, with URLs of the client. */
export const LONGEST_AUTHORIZE_QUERY = 2_500

const AUTHORIZE = /^\/oauth\/authorize\?[\w=&%.+*~-]{0,2500}$/

/** The pages that require sign-in, and the public ones with a playground, with their queries. */
const PAGE =
  /^\/(?:(?:catalog|models|playground)(?:\/[\w.:-]{1,100}){0,4}|balance(?:\/spending|\/transactions)?|calls(?:\/(?:find|bodies|req_\w{1,64}))?|webhooks(?:\/new|\/whk_\w{1,64})?|account|changes|team|invitations\/[\w-]{43}|credit(?:\/return|\/receipts\/tx_\w{1,64})?|keys(?:\/agk_\w{1,64})?|operate(?:\/[a-z]{1,20}(?:\/acc_\w{1,64})?)?)(?:\?[\w=&%.+*~-]{0,1000})?$/

/**
 * The page to open after sign-in. Links of other sites can name any page, so only these pages of this
 * gateway are allowed. All others become the balance page.
 */
export function nextPage(named: string): string {
  return PAGE.test(named) || AUTHORIZE.test(named) ? named : DEFAULT_PAGE
}

/** The next page from a form or a query. */
export function nextOf(fields: unknown): string {
  return nextPage(fieldOf(fields, 'next'))
}

/** The URL of an intermediate page, such as the link form, that keeps the next page. */
export function withNext(next: string, page: string): string {
  return next === DEFAULT_PAGE ? page : `${page}?${new URLSearchParams({ next }).toString()}`
}

/** Keeps the next page in a form. */
export function nextField(next: string): Html {
  return html`<input type="hidden" name="next" value="${next}">`
}
