import { html, type Html } from '../html.ts'

/** A secret that the page shows once, with a button that copies it. */
export function secretValue(secret: string): Html {
  return html`<p class="secret-value"><code class="secret" tabindex="0">${secret}</code> <button class="button quiet small needs-script" type="button" data-copy="${secret}">Copy</button></p>`
}
