import { readPasskeySite } from '../../../../auth/passkey-site.ts'
import { MOST_LABEL_CHARACTERS } from '../../../../auth/passkeys.ts'
import { submitButton } from '../../html/components/button.ts'
import { field } from '../../html/components/field.ts'
import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { withNext } from '../visitor/next-page.ts'

/** Shows the elements below that the browser supports. Without it they stay hidden. */
export const PASSKEY_ISLAND = 'passkeys'

/** `next`: the page to open after sign-in. */
export function passkeySignIn({ publicUrl }: Site, next: string): Html | false {
  const passkeys = readPasskeySite(publicUrl)
  return (
    passkeys !== null &&
    html`<div data-passkeys="sign-in" data-origin="${passkeys.origin}" data-next="${next}">
<p data-when="able" hidden><button class="button quiet" type="button">Sign in with a passkey</button></p>
<p class="field-error" role="alert" hidden></p>
<p class="muted" data-when="elsewhere" hidden>To sign in with a passkey, open <a href="${passkeys.origin}${withNext(next, '/sign-in')}">${passkeys.origin}/sign-in</a>.</p>
</div>`
  )
}

export function passkeyForm({ publicUrl }: Site): Html {
  const passkeys = readPasskeySite(publicUrl)
  if (passkeys === null)
    return html`<p class="muted">Passkeys are not available: they need a gateway address with a hostname and https. This gateway is at <code>${publicUrl}</code>.</p>`
  return html`<div data-passkeys="add" data-origin="${passkeys.origin}">
<form class="stacked" data-when="able" hidden>
${field({ label: 'Name of the new passkey', name: 'label', required: true, maxLength: MOST_LABEL_CHARACTERS, autocomplete: 'off', placeholder: 'My phone' })}
<div>${submitButton('Add passkey')}</div>
</form>
<p class="field-error" role="alert" hidden></p>
<p data-when="elsewhere" hidden>Passkeys work only at another address of this gateway. To add one, open <a href="${passkeys.origin}/account">${passkeys.origin}/account</a> and sign in there.</p>
<p data-when="unable" hidden>This browser does not support passkeys. Use a newer one to add them.</p>
<noscript><p class="muted">Adding a passkey requires JavaScript, which is disabled in this browser.</p></noscript>
</div>`
}
