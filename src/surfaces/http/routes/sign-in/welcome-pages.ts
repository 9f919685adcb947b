import { WELCOME_CREDIT, type CreatedAccount } from '../../../../accounts/create-account.ts'
import { curlExample } from '../../../../catalog/published/curl-example.ts'
import { formatDollars } from '../../../../lib/money.ts'
import type { SignInLink } from '../../../../auth/sign-in-link.ts'
import { LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS } from '../../../../auth/password.ts'
import { html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { linkButton, submitButton } from '../../html/components/button.ts'
import { field } from '../../html/components/field.ts'
import { note } from '../../html/components/note.ts'
import { table } from '../../html/components/table.ts'
import { codeBlock } from '../../html/components/code-card.ts'
import { code } from '../../html/components/text.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import { nextField, nextPage } from '../visitor/next-page.ts'
import { NO_CREDIT_LEFT } from './link-pages.ts'
import { signInLayout } from './sign-in-layout.ts'

export type WelcomeView = {
  readonly link: SignInLink
  readonly token: string
  /** Whether a new account gets welcome credit. */
  readonly hasCredit: boolean
  /** The error of the last attempt. */
  readonly refusal?: string
}

export function welcomePage(
  site: Site,
  { link: { email, isNew, next }, token, hasCredit, refusal }: WelcomeView,
): string {
  const offer = hasCredit
    ? `This creates your account with ${formatDollars(WELCOME_CREDIT.personal)} of credit.`
    : `This creates your account. ${NO_CREDIT_LEFT}`
  return signInLayout(
    site,
    'Set a password',
    html`<h1>Set a password</h1>
<p class="lead">${isNew ? offer : 'This replaces any earlier password and signs out other sessions.'}</p>
<form class="stacked" action="/welcome" method="post">
<input type="hidden" name="token" value="${token}">${nextField(nextPage(next))}${onceField()}
<label for="email">Email</label>
<input id="email" name="email" type="email" value="${email}" readonly autocomplete="username">
${field({ label: `Password (${LEAST_PASSWORD_CHARACTERS}+ characters)`, name: 'password', type: 'password', required: true, minLength: LEAST_PASSWORD_CHARACTERS, maxLength: MOST_PASSWORD_CHARACTERS, autocomplete: 'new-password', error: refusal })}
${submitButton(isNew ? 'Create account' : 'Sign in', { block: true })}
</form>`,
  )
}

const OFFERED_PAGES: readonly string[] = ['/balance', '/keys']

/** Shows the keys of a new account once. `next`: the page that the visitor requested. */
export function newAccountPage(
  site: Site,
  { account, live, test, hasWelcomeCredit }: CreatedAccount,
  next: string,
): string {
  const { publicUrl } = site
  const isElsewhere = !OFFERED_PAGES.includes(next)
  const first = hasWelcomeCredit
    ? { key: live.key, words: 'This call reads a page for 2¢:' }
    : { key: test.key, words: 'This call simulates reading a page, with test credit:' }
  return signInLayout(
    site,
    'Account created',
    html`<h1>Account created</h1>
<p class="lead"><bdi class="given">${account.email}</bdi> has ${hasWelcomeCredit && `${formatDollars(WELCOME_CREDIT.personal)} of credit, and `}these two keys.${!hasWelcomeCredit && ` ${NO_CREDIT_LEFT} See Balance for how to add credit.`}</p>
${note('warn', html`<p role="status">Copy the keys now; you won't see them again.</p>`)}
${table(
  'Your keys',
  ['Key', 'Secret', 'Use'],
  [
    ['Live', code(live.key), 'paid calls'],
    [
      'Test',
      html`<span data-test-key="${test.key}">${code(test.key)}</span>`,
      'simulations with test credit',
    ],
  ],
)}
<h2 id="first-call">Your first call</h2>
<p>${first.words}</p>
${codeBlock(`export TOLLGATE_KEY=${first.key}\n\n${curlExample(`${publicUrl}/api/run/core/onescrape`, { urls: [`${publicUrl}/guide`] })}`, 'sh')}
<p class="row">${isElsewhere && linkButton(next, 'Continue to your page')}${linkButton('/balance', 'Open Balance', isElsewhere ? { kind: 'quiet' } : {})}${linkButton('/keys', 'Manage keys', { kind: 'quiet' })}${linkButton('/guide', 'Read the guide', { kind: 'quiet' })}</p>`,
  )
}
