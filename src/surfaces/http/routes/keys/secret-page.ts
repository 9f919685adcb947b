import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { curlExample } from '../../../../catalog/published/curl-example.ts'
import type { KeyWithSecret } from '../../../../keys/key-record.ts'
import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'
import { codeBlock, time } from '../../html/components.ts'
import { keyName } from '../account/account-pieces.ts'
import { address } from '../account/shown-mode.ts'
import { wayBack } from './key-page.ts'

/** `formerUntil`: of a key that has a new secret, until when the former one works; null when it stopped at once. */
export type SecretView = {
  readonly visitor: Visitor
  readonly key: KeyWithSecret
  readonly formerUntil?: string | null
}

/** The one page that ever shows the secret of a key. */
export function secretPage(site: Site, { visitor, key, formerUntil }: SecretView): string {
  const example = curlExample(`${site.publicUrl}/api/run/core/onescrape`, {
    urls: [`${site.publicUrl}/guide`],
  })
  return layout(site, {
    path: `/keys/${key.id}`,
    title: 'New secret',
    description: 'The secret of a key.',
    unlisted: true,
    accountQuery: address('', visitor),
    main: html`${wayBack(visitor)}
<h1>${formerUntil === undefined ? 'The key is made' : 'The key has a new secret'}</h1>
<p class="lead"><bdi>${keyName(key)}</bdi></p>
<p class="notice" role="status">Copy it now: it is shown on this page alone. Keep it in a secret store, not in code.</p>
<p><code class="secret" tabindex="0">${key.key}</code></p>
${formerUntil === null && html`<p>The former secret stopped at once.</p>`}
${typeof formerUntil === 'string' && html`<p>The former secret works until ${time(formerUntil)} UTC.</p>`}
<h2>Try it</h2>
${codeBlock(`export TOLLGATE_KEY=${key.key}\n${example}`, 'sh')}
<p><a class="button quiet" href="${address(`/keys/${key.id}`, visitor)}">See this key</a></p>`,
  })
}
