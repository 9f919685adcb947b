import { WELCOME_CREDIT } from '../../../../accounts/create-account.ts'
import { LONGEST_EMAIL } from '../../../../auth/records/email.ts'
import { formatDollars } from '../../../../lib/money.ts'
import { html } from '../../html/html.ts'
import type { Site } from '../../html/layout/layout.ts'
import { linkButton, submitButton } from '../../html/components/button.ts'
import { field } from '../../html/components/field.ts'
import { note } from '../../html/components/note.ts'
import { nextField, withNext } from '../visitor/next-page.ts'
import { signInLayout } from './sign-in-layout.ts'

/** The notice for a new account after the daily welcome credits are used up. */
export const NO_CREDIT_LEFT =
  'It starts without credit, because today’s welcome credits are used up.'

/** The texts of the email link form, for sign-in and for sign-up. */
const LINK_FORMS = {
  '/sign-in/link': {
    title: 'Get a sign-in link',
    lead: 'Forgot your password, or first time here? We’ll email you a link to set a password.',
  },
  '/sign-up': {
    title: 'Create account',
    lead: 'First, we’ll email you a link to verify your address.',
  },
} as const
export type LinkForm = keyof typeof LINK_FORMS

export type LinkFormView = {
  /** The page to open after sign-in. */
  readonly next: string
  /** Whether a new account gets welcome credit; null if the form creates no account. */
  readonly hasCredit: boolean | null
  /** The error of the last attempt. */
  readonly refusal?: string
  /** The email address of the last attempt. */
  readonly email?: string
}

export function linkPage(
  site: Site,
  form: LinkForm,
  { next, hasCredit, refusal, email = '' }: LinkFormView,
): string {
  const { title, lead } = LINK_FORMS[form]
  const signIn = withNext(next, '/sign-in')
  const other =
    form === '/sign-up'
      ? html`Already have an account? <a href="${signIn}">Sign in</a>.`
      : html`<a href="${signIn}">Back to sign in</a>`
  return signInLayout(
    site,
    title,
    html`<h1>${title}</h1>
<p class="lead">${hasCredit !== null && offer(hasCredit)}${lead}</p>
<form class="stacked" action="${form}" method="post">${nextField(next)}
${field({ label: 'Email', name: 'email', type: 'email', required: true, maxLength: LONGEST_EMAIL, autocomplete: 'email', value: email, error: refusal })}
${submitButton('Email me a link', { block: true })}
</form>
<p class="muted">${other}</p>`,
  )
}

function offer(hasCredit: boolean): string {
  return hasCredit
    ? `A new account gets ${formatDollars(WELCOME_CREDIT.personal)} of credit and an API key. `
    : `A new account gets an API key. ${NO_CREDIT_LEFT} `
}

/** The sign-in variant does not reveal whether the address has an account. */
export function linkSentPage(
  site: Site,
  form: LinkForm,
  { email, next }: { readonly email: string; readonly next: string },
): string {
  return signInLayout(
    site,
    'Check your inbox',
    html`<h1>Check your inbox</h1>
<p class="lead">${form === '/sign-up' ? html`We sent a link to <bdi class="given">${email}</bdi>.` : html`If <bdi class="given">${email}</bdi> can sign in here, we sent it a link.`} It works once, within an hour.</p>
<p>No email after a few minutes? Check your spam folder and the address above, or <a href="${withNext(next, form)}">try again</a>.</p>`,
  )
}

/** The page of an invalid link. `email`: the holder who is already signed in, for example by this link. */
export function expiredLinkPage(
  site: Site,
  reason: string,
  methods: { readonly mail: boolean },
  email: string | null,
): string {
  return signInLayout(
    site,
    'Link expired',
    html`<h1>Link expired</h1>
${note('bad', reason)}
${
  email !== null &&
  html`<p>You are already signed in as <bdi class="given">${email}</bdi>.</p>
<p>${linkButton('/balance', 'Open Balance')}</p>`
}
${email === null && html`<p class="row">${methods.mail && linkButton('/sign-in/link', 'Get a new link')}${linkButton('/sign-in', 'Sign in', { kind: 'quiet' })}</p>`}`,
  )
}
