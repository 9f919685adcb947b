import { WELCOME_CREDIT, type CreatedAccount } from '../../../../accounts/create-account.ts'
import { curlExample } from '../../../../catalog/published/curl-example.ts'
import { formatDollars } from '../../../../lib/money.ts'
import type { EntryLink } from '../../../../auth/entry-link.ts'
import { LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS } from '../../../../auth/password.ts'
import { html } from '../../html/html.ts'
import type { Site } from '../../html/layout.ts'
import { code, codeBlock, table } from '../../html/components.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import { nextField, nextPage } from '../visitor/next-page.ts'
import { NO_CREDIT_LEFT } from './link-pages.ts'
import { signInLayout } from './sign-in-layout.ts'

export type WelcomeView = {
  readonly link: EntryLink
  readonly token: string
  /** Whether an account that is made now is given credit. */
  readonly hasCredit: boolean
  /** Why the last password was not taken. */
  readonly refusal?: string
}

export function welcomePage(
  site: Site,
  { link: { email, isNew, next }, token, hasCredit, refusal }: WelcomeView,
): string {
  const offer = hasCredit
    ? `With it your account is made, with ${formatDollars(WELCOME_CREDIT.personal)} of credit.`
    : `With it your account is made. ${NO_CREDIT_LEFT}`
  return signInLayout(
    site,
    'Choose a password',
    html`<h1>Choose a password</h1>
<p class="lead">${isNew ? offer : 'It takes the place of the one that you had, if there was one, and signs you out in every other browser.'}</p>
${refusal !== undefined && html`<p class="notice" role="alert">${refusal}</p>`}
<form class="stacked" action="/welcome" method="post">
<input type="hidden" name="token" value="${token}">${nextField(nextPage(next))}${onceField()}
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${email}" readonly autocomplete="username">
<label for="password">Password, ${LEAST_PASSWORD_CHARACTERS} characters or more</label>
<input id="password" name="password" type="password" required minlength="${LEAST_PASSWORD_CHARACTERS}" maxlength="${MOST_PASSWORD_CHARACTERS}" autocomplete="new-password">
<div class="calls-to-action"><button type="submit">${isNew ? 'Make the account' : 'Sign in'}</button></div>
</form>`,
    'send-once.js',
  )
}

const OFFERED_PAGES: readonly string[] = ['/balance', '/keys']

/** The keys of an account that was made just now, this once. `next`: the page that its holder wanted. */
export function newAccountPage(
  site: Site,
  { account, live, test, hasWelcomeCredit }: CreatedAccount,
  next: string,
): string {
  const { publicUrl } = site
  const isElsewhere = !OFFERED_PAGES.includes(next)
  const first = hasWelcomeCredit
    ? { key: live.key, words: 'It reads a page, for 2¢, as it stands here:' }
    : { key: test.key, words: 'It pretends to read a page, for play money, as it stands here:' }
  return signInLayout(
    site,
    'Your account is made',
    html`<h1>Your account is made</h1>
<p class="lead"><bdi class="given">${account.email}</bdi> has ${hasWelcomeCredit && `${formatDollars(WELCOME_CREDIT.personal)} of credit, and `}these two keys.${!hasWelcomeCredit && ` ${NO_CREDIT_LEFT} The page of the balance says how some is added.`}</p>
<p class="notice" role="status">The keys are shown this once. Keep them somewhere safe now.</p>
${table(
  'Your keys',
  ['Key', 'Secret', 'What for'],
  [
    ['Live', code(live.key), 'spends your credit'],
    ['Test', code(test.key), 'simulations, play money'],
  ],
)}
<h2 id="first-call">Your first call</h2>
<p>${first.words}</p>
${codeBlock(`export TOLLGATE_KEY=${first.key}\n\n${curlExample(`${publicUrl}/api/run/core/onescrape`, { urls: [`${publicUrl}/guide`] })}`, 'sh')}
<p class="calls-to-action">${isElsewhere && html`<a class="button" href="${next}">Go on to the page that you wanted</a> `}<a class="button${isElsewhere && ' quiet'}" href="/balance">See the balance</a> <a class="button quiet" href="/keys">Manage keys</a> <a class="button quiet" href="/guide">Read the guide</a></p>`,
  )
}
