import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'

/**
 * Leads to the checkout by a link that the browser follows by itself. A redirect of the form would be held against the
 * policy of the page that it was on, and a card company may have its checkout at any address.
 */
export function checkoutPage(
  site: Site,
  { checkout, cents }: { readonly checkout: string; readonly cents: string },
): string {
  return layout(site, {
    path: '/balance/buy',
    title: 'Checkout',
    description: 'The way to the checkout.',
    unlisted: true,
    redirectTo: checkout,
    main: html`<h1>Checkout</h1>
<p class="lead">You are being taken to ${new URL(checkout).host} to pay ${cents} by card.</p>
<p class="calls-to-action"><a class="button" href="${checkout}" rel="noreferrer">Go to the checkout</a> <a class="button quiet" href="/balance">Back to the balance</a></p>`,
  })
}
