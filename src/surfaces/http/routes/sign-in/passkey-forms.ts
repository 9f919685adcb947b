import { passkeySite } from '../../../../auth/passkey-site.ts'
import { MOST_LABEL_CHARACTERS } from '../../../../auth/passkeys.ts'
import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout.ts'
import { withNext } from '../visitor/next-page.ts'

/** Shows what the browser can do of the pieces below; without it they stay hidden. */
export const PASSKEY_SCRIPT = 'passkeys.js'

/** `next`: the page of this gateway that it leads to. */
export function passkeySignIn({ publicUrl }: Site, next: string): Html | false {
  const passkeys = passkeySite(publicUrl)
  return (
    passkeys !== null &&
    html`<div data-passkeys="sign-in" data-origin="${passkeys.origin}" data-next="${next}">
<p data-when="able" hidden><button class="button quiet" type="button">Sign in with a passkey</button></p>
<p class="notice" role="alert" hidden></p>
<p class="muted" data-when="elsewhere" hidden>To sign in with a passkey, open <a href="${passkeys.origin}${withNext(next, '/sign-in')}">${passkeys.origin}/sign-in</a>.</p>
</div>`
  )
}

export function passkeyForm({ publicUrl }: Site): Html {
  const passkeys = passkeySite(publicUrl)
  if (passkeys === null)
    return html`<p class="muted">No passkey can be added: browsers take them only where the address of the gateway is a name, reached over https. This one is <code>${publicUrl}</code>.</p>`
  return html`<div data-passkeys="add" data-origin="${passkeys.origin}">
<form class="stacked" data-when="able" hidden>
<label for="label">Name of a new passkey</label>
<div class="search-row"><input id="label" name="label" required maxlength="${MOST_LABEL_CHARACTERS}" autocomplete="off" placeholder="My phone"><button type="submit">Add</button></div>
</form>
<p class="notice" role="alert" hidden></p>
<p data-when="elsewhere" hidden>Passkeys of this gateway work at another address alone. Open <a href="${passkeys.origin}/account">${passkeys.origin}/account</a> to add one; you sign in once more there.</p>
<p data-when="unable" hidden>This browser is too old for passkeys. A newer one can add them.</p>
<noscript><p class="muted">Passkeys are added with JavaScript, which is off in this browser.</p></noscript>
</div>`
}
