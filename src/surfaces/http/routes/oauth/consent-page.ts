import { hostOfClient } from '../../../../auth/oauth/client.ts'
import type { PendingConsent } from '../../../../auth/oauth/consent.ts'
import { redirectTargetOf } from '../../../../auth/oauth/redirect-uri.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { facts } from '../../html/components/card.ts'
import { field, selectField } from '../../html/components/field.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import type { FieldErrors } from '../visitor/field-errors.ts'
import { MOST_DAYS, PERIODS, type ConsentValues } from './consent-form.ts'

export type ConsentView = {
  readonly pending: PendingConsent
  /** The token of the form. */
  readonly token: string
  /** The signed-in person; null for a session of the primary key. */
  readonly email: string | null
  readonly typed: ConsentValues
  /** The errors of the last attempt by the name of the field. */
  readonly errors?: FieldErrors
  /** The error of the last attempt that is about no field. */
  readonly problem?: string
}

/** The page on which a person decides about a client. All text of the client is escaped. */
export function consentPage(site: Site, view: ConsentView): string {
  const { client, request } = view.pending
  return layout(site, {
    path: '/oauth/authorize',
    title: 'Connect a client',
    description: 'Decide what a client may spend.',
    unlisted: true,
    main: html`${pageHeader({
      title: html`Connect <bdi class="given">${client.name}</bdi>?`,
      lead: 'It asks to run actions and pay for them from your balance, within the limits that you set here.',
    })}
${view.problem !== undefined && note('bad', view.problem)}
${clientFacts(view)}
${warnings(view.pending)}
<form class="stack" action="/oauth/consent" method="post"><input type="hidden" name="token" value="${view.token}">
${limitFields(view, request.allow)}
<div class="row"><button class="button" type="submit" name="decision" value="allow">Allow</button> <button class="button quiet" type="submit" name="decision" value="deny" formnovalidate>Deny</button></div>
</form>
<p class="muted">The client never sees your keys or your other data. To change the limits or disconnect it later, open <a href="/keys">Keys</a>.</p>`,
  })
}

function clientFacts({ pending: { client, request }, email }: ConsentView): Html {
  const host = hostOfClient(client.id)
  return facts([
    ['Client', host === null ? 'Registered itself, not verified' : html`<bdi>${host}</bdi>`],
    ['Returns to', html`<bdi>${describeTarget(request.redirectUri)}</bdi>`],
    ['Your account', email === null ? 'Signed in with the primary key' : html`<bdi>${email}</bdi>`],
  ])
}

function describeTarget(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  if (redirectTargetOf(redirectUri) === 'site') return host
  return protocol === 'http:'
    ? `An app on this device (${host})`
    : `An app on this device (${protocol.slice(0, -1)})`
}

function warnings({ client, request: { redirectUri } }: PendingConsent): Html {
  const clientHost = hostOfClient(client.id)
  const isDevice = redirectTargetOf(redirectUri) === 'device'
  const { host } = new URL(redirectUri)
  return html`${isDevice && note('warn', 'The access goes to an app on this device, and another app could claim this name. Continue only if you just started this connection yourself.')}
${
  !isDevice &&
  clientHost !== host &&
  note(
    'warn',
    html`${clientHost === null ? 'The name is not verified. ' : ''}The access goes to <strong>${host}</strong>. Continue only if you trust that site.`,
  )
}`
}

function limitFields(
  { typed, errors = {} }: ConsentView,
  requested: readonly string[] | null,
): Html {
  const isOpen = requested !== null || typed.allow !== ''
  return html`<div class="field-columns">
${field({ label: 'Spending limit', name: 'amount', value: typed.amount, unit: '$', inputMode: 'decimal', required: true, maxLength: 20, autocomplete: 'off', error: errors['amount'] })}
${selectField({ label: 'Period', name: 'period', options: PERIODS, chosen: typed.period, error: errors['period'] })}
${field({ label: 'Access (days)', name: 'days', type: 'text', inputMode: 'numeric', value: typed.days, required: true, maxLength: 5, autocomplete: 'off', error: errors['days'], hint: `From 1 to ${MOST_DAYS}.` })}
</div>
<details${isOpen && html` open`}><summary>Allowed actions: ${requested === null ? 'all' : 'as requested'}</summary>
${field({ label: 'Patterns', name: 'allow', type: 'area', value: typed.allow, rows: 4, mono: true, maxLength: 20_000, placeholder: 'core/*', autocomplete: 'off', error: errors['allow'], hint: 'One pattern per line, such as core/*. Empty: every action.' })}</details>`
}
