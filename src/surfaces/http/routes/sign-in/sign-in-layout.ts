import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'

const DESCRIPTION = 'Sign in to see your balance and calls, and to manage keys.'

/** The layout of the pages before sign-in: one narrow column. `island`: a file in html/islands. */
export function signInLayout(site: Site, title: string, main: Html, island?: string): string {
  return layout(site, {
    path: '/account',
    title,
    description: DESCRIPTION,
    unlisted: true,
    frame: 'bare',
    main: html`<div class="sign-in-form">${main}</div>`,
    ...(island === undefined ? {} : { islands: [island] }),
  })
}

/** The layout of the account page, in the console. */
export function accountLayout(
  site: Site,
  viewer: Visitor,
  page: { readonly main: Html; readonly island?: string; readonly confirmation?: string },
): string {
  const { island, confirmation } = page
  return layout(site, {
    path: '/account',
    title: 'Account',
    description: DESCRIPTION,
    unlisted: true,
    viewer,
    main: page.main,
    ...(island === undefined ? {} : { islands: [island] }),
    ...(confirmation === undefined ? {} : { confirmation }),
  })
}
