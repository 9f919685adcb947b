import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { curlExample } from '../../../../catalog/published/curl-example.ts'
import type { KeyWithSecret } from '../../../../keys/key-record.ts'
import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { codeBlock } from '../../html/components/code-card.ts'
import { time } from '../../html/components/text.ts'
import { keyName } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import { keysBreadcrumb } from './key-page.ts'

/** `formerUntil`: after a rotation, the expiry of the former secret; null if it ended immediately. */
export type SecretView = {
  readonly visitor: Visitor
  readonly key: KeyWithSecret
  readonly formerUntil?: string | null
}

/** The only page that shows the secret of a key. */
export function secretPage(site: Site, { visitor, key, formerUntil }: SecretView): string {
  const example = curlExample(`${site.publicUrl}/api/run/core/onescrape`, {
    urls: [`${site.publicUrl}/guide`],
  })
  return layout(site, {
    path: `/keys/${key.id}`,
    title: 'New secret',
    description: 'The secret of a key.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    main: html`${keysBreadcrumb(visitor)}
<h1>${formerUntil === undefined ? 'Key created' : 'Secret rotated'}</h1>
<p class="lead"><bdi>${keyName(key)}</bdi></p>
<p class="notice" role="status">Copy it now; you won't see it again. Store it in a secret manager, not in code.</p>
<p data-test-key="${key.key}"><code class="secret" tabindex="0">${key.key}</code> <button class="button quiet small needs-script" type="button" data-copy="${key.key}">Copy</button></p>
${formerUntil === null && html`<p>The former secret is no longer valid.</p>`}
${typeof formerUntil === 'string' && html`<p>The former secret is valid until ${time(formerUntil)}.</p>`}
<h2>Try it</h2>
${codeBlock(`export TOLLGATE_KEY=${key.key}\n${example}`, 'sh')}
<p><a class="button quiet" href="${accountUrl(`/keys/${key.id}`, visitor)}">View key</a></p>`,
  })
}
