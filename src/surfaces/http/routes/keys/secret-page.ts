import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { curlExample } from '../../../../catalog/published/curl-example.ts'
import type { KeyWithSecret } from '../../../../keys/key-record.ts'
import { linkButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { codeBlock } from '../../html/components/code-card.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { secretValue } from '../../html/components/secret.ts'
import { time } from '../../html/components/text.ts'
import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { keyName } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import { keyCrumbs } from './key-crumbs.ts'

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
  const title = formerUntil === undefined ? 'Key created' : 'Secret rotated'
  return layout(site, {
    path: `/keys/${key.id}`,
    title: 'New secret',
    description: 'The secret of a key.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    main: html`${pageHeader({
      title,
      crumbs: keyCrumbs(visitor, key, 'New secret'),
      lead: html`<bdi>${keyName(key)}</bdi>`,
      actions: linkButton(accountUrl(`/keys/${key.id}`, visitor), 'View key', { kind: 'quiet' }),
    })}
${card({
  content: html`${note('warn', html`<p role="status">Copy it now; you won't see it again. Store it in a secret manager, not in code.</p>`)}
<div data-test-key="${key.key}">${secretValue(key.key)}</div>
${formerUntil === null && html`<p>The former secret is no longer valid.</p>`}
${typeof formerUntil === 'string' && html`<p>The former secret is valid until ${time(formerUntil)}.</p>`}`,
})}
<h2>Try it</h2>
${codeBlock(`export TOLLGATE_KEY=${key.key}\n${example}`, 'sh')}`,
  })
}
