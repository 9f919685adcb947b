import type { Invited } from '../../../../auth/members/invite-member.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { ROLE_NAMES } from '../../../../lib/permissions.ts'
import { linkButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { secretValue } from '../../html/components/secret.ts'
import { time } from '../../html/components/text.ts'
import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { accountUrl } from '../account/account-url.ts'
import { TEAM_PATH } from './team-view.ts'

/** The only page that shows the link of an invitation. */
export function invitedPage(
  site: Site,
  visitor: Visitor,
  { url, email, role, expires_at: expiresAt }: Invited,
): string {
  return layout(site, {
    path: TEAM_PATH,
    title: 'Invitation created',
    description: 'The link of an invitation.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    crumbs: [{ label: 'Team', href: accountUrl(TEAM_PATH, visitor) }, { label: 'Invitation' }],
    main: html`${pageHeader({
      title: 'Invitation created',
      lead: html`For ${email === null ? 'one person with the link' : html`<bdi class="given">${email}</bdi>`}, with the role ${ROLE_NAMES[role]}. The link works once, until ${time(expiresAt)}.`,
      actions: linkButton(accountUrl(TEAM_PATH, visitor), 'Back to team', { kind: 'quiet' }),
    })}
${card({
  content: html`${note('warn', html`<p role="status">Copy the link now; you won't see it again.</p>`)}
${secretValue(url ?? '')}`,
})}`,
  })
}
