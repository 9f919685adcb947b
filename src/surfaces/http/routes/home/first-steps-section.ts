import type { FirstSteps } from '../../../../accounts/first-steps.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { curlExample } from '../../../../catalog/published/curl-example.ts'
import { html, type Html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { linkButton, submitButton } from '../../html/components/button.ts'
import { codeBlock } from '../../html/components/code-card.ts'
import { icon } from '../../html/components/icon.ts'
import { may } from '../../guards/requires.ts'
import { accountUrl } from '../account/account-url.ts'

export const FIRST_STEPS_PATH = '/balance/first-steps'
const REFRESH_SECONDS = 3

/** Three steps of a new account. The second one turns green by itself. */
export function firstSteps(site: Site, visitor: Visitor, steps: FirstSteps): Html {
  const { hasKey, hasLimit, primaryKey } = steps
  const call = curlExample(`${site.publicUrl}/api/run/core/onescrape`, {
    urls: [`${site.publicUrl}/guide`],
  })
  // A browser fills its test key into $TOLLGATE_KEY, and would leave the exported key unused.
  const example = `export TOLLGATE_KEY=YOUR_KEY\n\n${call.replace('$TOLLGATE_KEY', '${TOLLGATE_KEY}')}`
  return html`<section class="card steps" aria-labelledby="steps-title">
<div class="card-head"><h2 id="steps-title">Get started in three steps</h2><form action="${accountUrl(FIRST_STEPS_PATH, visitor)}" method="post">${submitButton('Dismiss', { kind: 'plain', size: 'small', name: 'mark', value: 'dismissed' })}</form></div>
<ol>
${step(
  1,
  'Copy your key',
  hasKey,
  hasKey
    ? html`<p class="muted">You have a key.</p>`
    : html`<p class="muted">You saw your first keys when the account was created. Create another one if you did not copy them.</p>
<form class="row" action="${accountUrl(FIRST_STEPS_PATH, visitor)}" method="post">${submitButton('I have my key', { kind: 'quiet', size: 'small', name: 'mark', value: 'copied' })}${may(visitor, 'keys.own') && linkButton(`${accountUrl('/keys', visitor)}#new`, 'Create a key', { kind: 'quiet', size: 'small' })}</form>`,
)}
${step(
  2,
  'Make your first call',
  steps.hasCalled,
  html`<p class="muted">Put your key for YOUR_KEY, and paste this in a terminal. With a live key the call costs 2¢, and nothing if it fails. With a test key it is simulated, free, and not in the figures above.</p>
${codeBlock(example, 'sh')}
${firstCall(steps)}`,
)}
${step(
  3,
  'Set a limit',
  hasLimit,
  html`<p class="muted">The most that a key may spend. Calls above it are rejected before they cost anything.</p>
${!hasLimit && primaryKey !== null && linkButton(`${accountUrl(`/keys/${primaryKey}`, visitor)}#change`, 'Set a limit', { kind: 'quiet', size: 'small' })}`,
)}
</ol></section>`
}

/** The line that waits for the first call. It is also the whole answer of its own address. */
export function firstCall({ hasCalled }: Pick<FirstSteps, 'hasCalled'>): Html {
  return hasCalled
    ? html`<p id="first-call" class="first-call done" role="status">${icon('check')}First call received</p>`
    : html`<p id="first-call" class="first-call" role="status" data-refresh="${REFRESH_SECONDS}" data-refresh-from="${FIRST_STEPS_PATH}">Waiting for your first call…</p>`
}

function step(number: number, title: string, isDone: boolean, content: Html): Html {
  return html`<li${isDone && html` class="done"`}><span class="step-mark" aria-hidden="true">${number}</span><div><h3>${title}${isDone && html` <span class="visually-hidden">(done)</span>`}</h3>${content}</div></li>`
}
