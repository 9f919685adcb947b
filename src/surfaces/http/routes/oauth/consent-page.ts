import { hostOfClient } from '../../../../auth/oauth/client.ts'
import type { PendingConsent } from '../../../../auth/oauth/consent.ts'
import { redirectTargetOf } from '../../../../auth/oauth/redirect-uri.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { choice } from '../account/account-components.ts'
import { MOST_DAYS, PERIODS, type ConsentValues } from './consent-form.ts'

export type ConsentView = {
  readonly pending: PendingConsent
  /** The token of the form. */
  readonly token: string
  /** The signed-in person; null for a session of the primary key. */
  readonly email: string | null
  readonly typed: ConsentValues
  /** The error of the last attempt. */
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
    main: html`<h1>Connect <bdi class="given">${client.name}</bdi>?</h1>
<p class="lead">It asks to run actions and pay for them from your balance, within the limits that you set here.</p>
${view.problem !== undefined && html`<p class="notice" role="alert">${view.problem}</p>`}
${facts(view)}
${warnings(view.pending)}
<form class="filters" action="/oauth/consent" method="post"><input type="hidden" name="token" value="${view.token}">
${limitFields(view.typed, request.allow)}
<div class="calls-to-action"><button type="submit" name="decision" value="allow">Allow</button> <button class="button quiet" type="submit" name="decision" value="deny" formnovalidate>Deny</button></div>
</form>
<p class="muted">The client never sees your keys or your other data. To change the limits or disconnect it later, open <a href="/keys">Keys</a>.</p>`,
  })
}

function facts({ pending: { client, request }, email }: ConsentView): Html {
  const host = hostOfClient(client.id)
  const rows = [
    ['Client', host === null ? 'Registered itself, not verified' : html`<bdi>${host}</bdi>`],
    ['Returns to', html`<bdi>${describeTarget(request.redirectUri)}</bdi>`],
    ['Your account', email === null ? 'Signed in with the primary key' : html`<bdi>${email}</bdi>`],
  ] as const
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
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
  return html`${isDevice && html`<p class="notice" role="note">The access goes to an app on this device, and another app could claim this name. Continue only if you just started this connection yourself.</p>`}
${
  !isDevice &&
  clientHost !== host &&
  html`<p class="notice" role="note">${clientHost === null ? 'The name is not verified. ' : ''}The access goes to <strong>${host}</strong>. Continue only if you trust that site.</p>`
}`
}

function limitFields(typed: ConsentValues, requested: readonly string[] | null): Html {
  const isOpen = requested !== null || typed.allow !== ''
  return html`<div><label for="amount">Spending limit ($)</label><input id="amount" name="amount" value="${typed.amount}" inputmode="decimal" required maxlength="20" autocomplete="off"></div>
${choice('period', 'Period', PERIODS, typed.period)}
<div><label for="days">Access (days)</label><input id="days" name="days" type="number" value="${typed.days}" min="1" max="${MOST_DAYS}" required autocomplete="off"></div>
<details class="policy"${isOpen && html` open`}><summary>Allowed actions: ${requested === null ? 'all' : 'as requested'}</summary>
<div class="filters"><div><label for="allow">Patterns</label><textarea id="allow" name="allow" rows="4" maxlength="20000" placeholder="core/*" spellcheck="false" autocomplete="off" aria-describedby="allow-hint">
${typed.allow}</textarea><p class="muted hint" id="allow-hint">One pattern per line, such as core/*. Empty: every action.</p></div></div></details>`
}
