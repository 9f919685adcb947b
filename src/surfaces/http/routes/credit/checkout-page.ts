import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'

/**
 * Redirects to the checkout by a refresh. The form-action policy of the previous page would block an HTTP
 * redirect of its form, and the checkout may have any origin.
 */
export function checkoutPage(
  site: Site,
  { checkout, amount }: { readonly checkout: string; readonly amount: string },
): string {
  return layout(site, {
    path: '/credit',
    title: 'Checkout',
    description: 'Redirect to the checkout.',
    unlisted: true,
    redirectTo: checkout,
    main: html`<h1>Checkout</h1>
<p class="lead">Redirecting you to ${new URL(checkout).host} to pay ${amount} by card.</p>
<p class="calls-to-action"><a class="button" href="${checkout}" rel="noreferrer">Continue to checkout</a> <a class="button quiet" href="/credit">Back to Credit</a></p>`,
  })
}
