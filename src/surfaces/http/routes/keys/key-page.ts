import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { badge } from '../../html/components/badge.ts'
import { actionForm, linkButton, submitButton } from '../../html/components/button.ts'
import { card, facts } from '../../html/components/card.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { code, time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { accountUrl } from '../account/account-url.ts'
import { keyActions } from './key-actions.ts'
import { childrenCard, spendingCard } from './key-cards.ts'
import { keyEvents } from './key-events.ts'
import { keyFields } from './key-fields.ts'
import { describeUnsaved, formValuesOfKey, scopeLabel, type KeyFormValues } from './key-form.ts'
import { policyFacts } from './key-policy-facts.ts'
import { reachSummary } from './key-reach.ts'
import { clientOf, keyBadge } from './key-status.ts'
import { KEY_DONE, type KeyView } from './key-view.ts'
import { readOnlyNotice } from './keys-page.ts'
import { mayChangeKey } from './may-change-key.ts'
import { loopNote } from './loop-note.ts'
import { keyCrumbs } from './key-crumbs.ts'

export function keyPage(site: Site, view: KeyView): string {
  const { visitor, key } = view
  return layout(site, {
    path: `/keys/${key.id}`,
    title: 'Key',
    description: 'A key of the account.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    islands: ['key-policy'],
    crumbs: keyCrumbs(visitor, key),
    ...(view.done === undefined ? {} : { confirmation: KEY_DONE[view.done] }),
    main: html`${header(view)}
${view.problem !== undefined && note('bad', view.problem)}
${view.notSaved !== undefined && unsavedNotice(view.notSaved, formValuesOfKey(key))}
${view.loop !== undefined && loopNote(key, view.loop, visitor)}
<div class="split">
<div class="stack">${canChange(view) ? settingsForm(view) : readOnly(view)}
${childrenCard(view)}
${card({ title: 'Events', id: 'events', content: keyEvents(view.events, visitor) })}</div>
<div class="stack">${spendingCard(view)}
${card({ title: 'Details', content: details(key, visitor) })}
${canChange(view) && keyActions(view)}</div>
</div>`,
  })
}

function canChange({ visitor, key }: KeyView): boolean {
  return mayChangeKey(visitor, key) && key.status !== 'revoked'
}

function header(view: KeyView): Html {
  const { key, visitor, loop } = view
  const isPaused = key.status === 'paused'
  return pageHeader({
    title: html`<bdi>${key.label ?? `${key.key_prefix}…`}</bdi>`,
    crumbs: keyCrumbs(visitor, key),
    meta: html`${keyBadge(key, loop !== undefined)}${key.mode === 'test' && badge('test', 'Test')}${code(`${key.key_prefix}…`)}<span>created ${time(key.created_at)}</span>`,
    ...(canChange(view) && key.status !== 'expired'
      ? {
          actions: html`${actionForm(accountUrl(`/keys/${key.id}/pause`, visitor), isPaused ? 'Resume key' : 'Pause key', { kind: 'quiet', icon: isPaused ? 'play' : 'pause', hidden: html`<input type="hidden" name="paused" value="${isPaused ? 'no' : 'yes'}">` })}${key.client_id === null && linkButton('#rotate', 'Rotate', { kind: 'quiet', icon: 'rotate' })}`,
        }
      : {}),
  })
}

function unsavedNotice(typed: KeyFormValues, present: KeyFormValues): Html {
  const words = describeUnsaved(typed, present)
  return html`${words !== null && html`<p>Not saved: <bdi class="given">${words}</bdi>.</p>`}`
}

function reach({ key, bounds, actions }: KeyView): Html {
  return reachSummary({ above: bounds?.ancestors ?? [], key, names: actions })
}

function settingsForm(view: KeyView): Html {
  const { visitor, key, typed, errors, filledFrom } = view
  return html`<form id="change" class="key-form" action="${accountUrl(`/keys/${key.id}`, visitor)}" method="post"><input type="hidden" name="filled_from" value="${filledFrom}">
${card({
  title: 'Policy',
  content: keyFields({ values: typed, errors, reach: reach(view) }),
  foot: html`<span>Changes apply to the next call.</span>${submitButton('Save')}`,
})}</form>`
}

/** The policy for visitors that cannot change it, and of a revoked key. */
function readOnly(view: KeyView): Html {
  const { visitor, key } = view
  return card({
    title: 'Policy',
    content: html`${!mayChangeKey(visitor, key) && readOnlyNotice(visitor)}${facts(policyFacts(key))}${reach(view)}`,
  })
}

function details(key: KeyRecord, visitor: Visitor): Html {
  return facts([
    ['Reads', scopeLabel(key.scope)],
    ...(key.parent_id === null
      ? []
      : [
          [
            'Parent',
            visitor.caller.scope === 'own'
              ? code(key.parent_id)
              : html`<a href="${accountUrl(`/keys/${key.parent_id}`, visitor)}">${key.parent_id}</a>`,
          ] as const,
        ]),
    ...(key.client_id === null
      ? []
      : [
          [
            'Connected client',
            html`<bdi>${clientOf(key.client_id)}</bdi><br>${code(key.client_id)}`,
          ] as const,
        ]),
    ['Child keys', key.may_mint || key.primary ? 'May create' : 'Not allowed'],
    ...(key.expires_at === null ? [] : [['Expires', time(key.expires_at)] as const]),
    ['Last used', key.last_used_at === null ? 'Never' : time(key.last_used_at)],
    ['External ID', html`<bdi>${key.external_id ?? 'None'}</bdi>`],
    ['ID', code(key.id)],
  ])
}
