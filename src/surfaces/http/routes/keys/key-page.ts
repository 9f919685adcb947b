import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'
import { code, time } from '../../html/components.ts'
import { choice, dollarText } from '../account/account-pieces.ts'
import { address } from '../account/shown-mode.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import { keyFields, scopeWords, typedBeside, typedOf, type TypedKey } from './key-form.ts'
import { ceilingOf, spentOf, statusOf, whyReadOnly } from './keys-page.ts'

export type KeyView = {
  readonly visitor: Visitor
  readonly key: KeyRecord
  readonly typed: TypedKey
  /** What somebody typed whose form was filled from other values than the key has now. */
  readonly notSaved?: TypedKey
  /** The settings that the form is filled from, by their tag. */
  readonly filledFrom: string
  readonly isSaved: boolean
  /** What the form for a new secret was sent with, in seconds. */
  readonly grace?: string
  /** That of this form, where it is to be sent again. */
  readonly onceToken?: string
  /** What came of a wish, where it was not fulfilled. */
  readonly problem?: string
}

export function keyPage(site: Site, view: KeyView): string {
  const { visitor, key } = view
  return layout(site, {
    path: `/keys/${key.id}`,
    title: 'Key',
    description: 'One key of the account.',
    unlisted: true,
    accountQuery: address('', visitor),
    main: html`${wayBack(visitor)}
<h1><bdi>${key.label ?? `${key.key_prefix}…`}</bdi>${key.mode === 'test' && html` <span class="badge idle">test credit</span>`}</h1>
${view.problem !== undefined && html`<p class="notice" role="alert">${view.problem}</p>`}
${view.notSaved !== undefined && lost(view.notSaved, typedOf(key))}
${view.isSaved && html`<p class="notice" role="status">Saved.</p>`}
${facts(key)}
${!visitor.caller.primary ? html`<h2>Changes</h2>${whyReadOnly(visitor)}` : key.status !== 'revoked' && forms(view)}`,
  })
}

export function wayBack(visitor: Visitor): Html {
  return html`<nav class="breadcrumb" aria-label="Breadcrumb"><ol><li><a href="${address('/keys', visitor)}">Keys</a></li></ol></nav>`
}

function lost(typed: TypedKey, present: TypedKey): Html {
  const words = typedBeside(typed, present)
  return html`${words !== null && html`<p>You had typed: <bdi class="given">${words}</bdi>.</p>`}`
}

function facts(key: KeyRecord): Html {
  const rows = [
    ['Status', statusOf(key)],
    ['Begins with', code(`${key.key_prefix}…`)],
    ...(key.former_key_valid_until === null
      ? []
      : [['Former secret', html`works until ${time(key.former_key_valid_until)} UTC`] as const]),
    ['Sees', scopeWords(key.scope)],
    ['Ceiling', ceilingOf(key)],
    ['Spent', html`${spentOf(key)} since ${time(key.window_started_at)} UTC`],
    ...(key.remaining_micros === null
      ? []
      : [
          [
            'Left of the ceiling',
            html`${dollarText(key.remaining_micros)} until ${time(key.window_resets_at)} UTC`,
          ] as const,
        ]),
    ['Last used', key.last_used_at === null ? 'never' : html`${time(key.last_used_at)} UTC`],
    ['Made', html`${time(key.created_at)} UTC`],
    ['External id', key.external_id ?? 'none'],
    ['Id', code(key.id)],
  ] as const
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

const GRACES = [
  ['0', 'at once'],
  ['3600', 'in an hour'],
  ['86400', 'in a day'],
] as const
// Programs that use the key go on until somebody has told them the new secret.
const USUAL_GRACE = '3600'

function forms({ visitor, key, typed, filledFrom, grace = USUAL_GRACE, onceToken }: KeyView): Html {
  const to = (wish: string): string => address(`/keys/${key.id}${wish}`, visitor)
  const isPaused = key.status === 'paused'
  return html`<h2 id="change">Change</h2>
<form class="filters" action="${to('')}" method="post"><input type="hidden" name="filled_from" value="${filledFrom}">
${keyFields(typed)}
<div class="calls-to-action"><button type="submit">Save</button></div>
</form>
<h2 id="pause">${isPaused ? 'Resume' : 'Pause'}</h2>
<form action="${to('/pause')}" method="post">
<p class="muted">${isPaused ? 'The key is paused: calls that cost something are refused.' : 'Calls that cost something are refused until the key is resumed.'}</p>
<button class="button quiet" type="submit" name="paused" value="${isPaused ? 'no' : 'yes'}">${isPaused ? 'Resume the key' : 'Pause the key'}</button>
</form>
<h2 id="rotate">New secret</h2>
<form class="filters" action="${to('/rotate')}" method="post">${onceField(onceToken)}
${choice('grace_seconds', 'Old one stops', GRACES, grace)}
<div class="calls-to-action"><button class="button quiet" type="submit">Make a new secret</button></div>
</form>
${key.former_key_valid_until !== null && formerForm(to('/end-former'), key.former_key_valid_until)}
${key.primary ? html`<p class="muted">This is the primary key of the account: it cannot be revoked.</p>` : revokeForm(to('/revoke'))}`
}

function formerForm(action: string, until: string): Html {
  return html`<h2 id="former">Former secret</h2>
<form action="${action}" method="post">
<p class="muted">It works until ${time(until)} UTC. Calls with it are refused as soon as you end it, or make a further new secret.</p>
<button class="button quiet" type="submit">End it now</button>
</form>`
}

function revokeForm(action: string): Html {
  return html`<h2 id="revoke">Revoke</h2>
<form action="${action}" method="post">
<p class="muted">Every call with the key is refused from then on.</p>
<p><label class="check"><input type="checkbox" name="sure" value="yes" required> I know that this cannot be undone</label></p>
<button class="button quiet" type="submit">Revoke the key</button>
</form>`
}
