import { WELCOME_CREDIT } from '../../../../accounts/create-account.ts'
import { LONGEST_EMAIL } from '../../../../auth/records/email.ts'
import { formatDollars } from '../../../../lib/money.ts'
import { html } from '../../html/html.ts'
import type { Site } from '../../html/layout.ts'
import { nextField, withNext } from '../visitor/next-page.ts'
import { signInLayout } from './sign-in-layout.ts'

/** Of an account that is made while no welcome credit is left. */
export const NO_CREDIT_LEFT = 'It begins without credit: no more welcome credit is given today.'

/** The form that asks for a link, in the words of who has an account here and of who wants one. */
const LINK_FORMS = {
  '/sign-in/link': {
    title: 'Get a link by mail',
    lead: 'Forgot your password, or here for the first time? Open the link that we mail you, and choose a password.',
  },
  '/sign-up': {
    title: 'Make an account',
    lead: 'First we mail you a link, so that the address is yours for sure.',
  },
} as const
export type LinkForm = keyof typeof LINK_FORMS

export type LinkFormView = {
  /** Where the link is to lead in the end. */
  readonly next: string
  /** Whether an account that is made now is given credit; null where none is made. */
  readonly hasCredit: boolean | null
  /** Why the last attempt did not work. */
  readonly refusal?: string
  /** What it was made with. */
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
      ? html`Have an account already? <a href="${signIn}">Sign in</a>.`
      : html`<a href="${signIn}">Back to signing in</a>`
  return signInLayout(
    site,
    title,
    html`<h1>${title}</h1>
<p class="lead">${hasCredit !== null && offer(hasCredit)}${lead}</p>
${refusal !== undefined && html`<p class="notice" role="alert">${refusal}</p>`}
<form class="stacked" action="${form}" method="post">${nextField(next)}
<label for="email">E-mail address</label>
<div class="search-row"><input id="email" name="email" type="email" required maxlength="${LONGEST_EMAIL}" autocomplete="email" value="${email}"><button type="submit">Mail me a link</button></div>
</form>
<p class="muted">${other}</p>`,
  )
}

function offer(hasCredit: boolean): string {
  return hasCredit
    ? `A new account has ${formatDollars(WELCOME_CREDIT.personal)} of credit and a key to call with. `
    : `A new account has a key to call with. ${NO_CREDIT_LEFT} `
}

/** The same whether there is an account for the address or not. */
export function linkSentPage(
  site: Site,
  form: LinkForm,
  { email, next }: { readonly email: string; readonly next: string },
): string {
  return signInLayout(
    site,
    'Look into your mail',
    html`<h1>Look into your mail</h1>
<p class="lead">If <bdi class="given">${email}</bdi> can sign in here, a mail is on its way. The link in it works once, within an hour.</p>
<p>Nothing came after some minutes? Look among the unwanted mail, see whether the address above is right, or <a href="${withNext(next, form)}">ask again</a>.</p>`,
  )
}

/** Why a link leads nowhere. `methods`: whether another one can be mailed. `email`: of the holder who is signed in, such as by this very link. */
export function expiredLinkPage(
  site: Site,
  reason: string,
  methods: { readonly mail: boolean },
  email: string | null,
): string {
  return signInLayout(
    site,
    'This link does not work',
    html`<h1>This link does not work</h1>
<p class="notice" role="alert">${reason}</p>
${
  email !== null &&
  html`<p>You are signed in as <bdi class="given">${email}</bdi>, and need none.</p>
<p class="calls-to-action"><a class="button" href="/balance">See the balance</a></p>`
}
${email === null && html`<p class="calls-to-action">${methods.mail && html`<a class="button" href="/sign-in/link">Get a new link</a> `}<a class="button quiet" href="/sign-in">Sign in</a></p>`}`,
  )
}
