import type { Account } from '../../../../accounts/account.ts'
import { linkButton } from '../../html/components/button.ts'
import { codeBlock } from '../../html/components/code-card.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { ACCOUNTS_PATH } from './accounts-page.ts'
import { consolePage, timeOf } from './console-page.ts'
import type { Operator } from './console.ts'

/** Shows a new sign-in link once. */
export function linkPage(
  site: Site,
  {
    operator,
    account,
    url,
    expiresAtMs,
  }: {
    readonly operator: Operator
    readonly account: Account
    readonly url: string
    readonly expiresAtMs: number
  },
): string {
  const path = `${ACCOUNTS_PATH}/${account.id}`
  const crumbs = [
    { label: 'Accounts', href: ACCOUNTS_PATH },
    { label: account.email, href: path },
    { label: 'Sign-in link' },
  ]
  return consolePage(
    site,
    { operator, params: {}, query: () => '', done: '' },
    {
      path,
      title: 'Sign-in link',
      crumbs,
      main: html`${pageHeader({ title: 'Sign-in link created', crumbs })}
${note('warn', html`Copy it now; you won’t see it again. Give it only to the owner <bdi>${account.email}</bdi>: it signs in as that person. It works once, until ${timeOf(expiresAtMs)}.`)}
${codeBlock(url, 'text')}
<p>${linkButton(path, 'Back to the account', { kind: 'quiet' })}</p>`,
    },
  )
}
