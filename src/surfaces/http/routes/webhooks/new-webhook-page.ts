import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { linkButton, submitButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { accountUrl } from '../account/account-url.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import { webhookFields, type WebhookFieldsView } from './webhook-form.ts'
import { webhookCrumbs, WEBHOOKS_PATH } from './webhook-parts.ts'

export type NewWebhookView = WebhookFieldsView & {
  readonly visitor: Visitor
  readonly onceToken?: string
  /** An error about no field. */
  readonly problem?: string
}

export function newWebhookPage(site: Site, view: NewWebhookView): string {
  const { visitor, onceToken, problem } = view
  return layout(site, {
    path: `${WEBHOOKS_PATH}/new`,
    title: 'New webhook',
    description: 'The form of a new webhook.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    crumbs: webhookCrumbs(visitor, 'New webhook'),
    main: html`${pageHeader({
      title: 'New webhook',
      crumbs: webhookCrumbs(visitor, 'New webhook'),
      lead: 'An address that receives the events of the account.',
    })}
${problem !== undefined && note('bad', problem)}
<form class="key-form" action="${accountUrl(WEBHOOKS_PATH, visitor)}" method="post">${onceField(onceToken)}
${card({
  content: webhookFields(view),
  foot: html`<span>The signing secret is shown once, on the next page.</span><div class="row">${linkButton(accountUrl(WEBHOOKS_PATH, visitor), 'Cancel', { kind: 'quiet' })}${submitButton('Add webhook')}</div>`,
})}</form>`,
  })
}
