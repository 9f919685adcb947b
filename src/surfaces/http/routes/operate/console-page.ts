/** Markup that the pages of the operator console share. */
import { toRfc3339 } from '../../../../lib/clock.ts'
import type { Micros } from '../../../../lib/money.ts'
import { linkButton, submitButton, type ButtonLook } from '../../html/components/button.ts'
import { field } from '../../html/components/field.ts'
import { note } from '../../html/components/note.ts'
import type { Crumb } from '../../html/components/page-header.ts'
import { time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { OPERATOR_PATH } from '../../html/layout/navigation.ts'
import { moneyText } from '../account/account-components.ts'
import { describeError } from '../visitor/send-page.ts'
import type { Operator, PageRequest, Rejection } from './console.ts'

export { OPERATOR_PATH }

/** Messages of finished forms, by the value of `done`. */
const DONE: Readonly<Record<string, string>> = {
  granted: 'Credit granted.',
  taken: 'Credit taken.',
  'daily-cap': 'Daily cap saved.',
  paused: 'Account paused.',
  resumed: 'Account resumed.',
  closed: 'Account closed.',
  operator: 'This account is now an operator.',
  'not-operator': 'This account is no longer an operator.',
  created: 'Account created.',
  resolved: 'Payment resolved.',
  cancelled: 'Job cancelled.',
  enabled: 'Webhook enabled.',
  redelivered: 'The gateway is sending it again.',
  tested: 'Key tested. The result is below.',
  'tested-all': 'All keys tested. The results are below.',
  'tested-some': 'A minute was too short for all keys. Test the others one by one.',
  replaced: 'The new key is in use.',
  added: 'The key is in use.',
  restored: 'The key of the settings is in use again.',
  'route-cleared': 'The next call tries the route again, within five seconds.',
  checked: 'The checks have run.',
}

export function consolePage(
  site: Site,
  { operator, done }: PageRequest,
  page: {
    readonly path: string
    readonly title: string
    readonly main: Html
    readonly islands?: readonly string[]
    readonly crumbs?: readonly Crumb[]
  },
): string {
  const confirmation = DONE[done]
  return layout(site, {
    ...page,
    description: `Operator console: ${page.title}.`,
    unlisted: true,
    viewer: operator.visitor,
    ...(confirmation === undefined ? {} : { confirmation }),
  })
}

/** Shows a rejected form at the top of its card, unless the error names a field of the form. */
export function rejectionNote(
  rejection: Rejection | undefined,
  form: string,
  fields: readonly string[] = [],
): Html | false {
  if (rejection?.form !== form) return false
  const { error } = rejection
  return !fields.includes(error.param ?? '') && note('bad', describeError(error))
}

/** The message for a field of a rejected form. */
export function fieldErrorOf(
  rejection: Rejection | undefined,
  form: string,
  name: string,
): string | undefined {
  return rejection?.form === form && rejection.error.param === name
    ? describeError(rejection.error)
    : undefined
}

export function typedIn(rejection: Rejection | undefined, form: string, name: string): string {
  return rejection?.form === form ? rejection.typed(name) : ''
}

/** The field for the reason of an action. */
export function reasonField(
  rejection: Rejection | undefined,
  form: string,
  hint = 'The account sees it on its Changes page.',
): Html {
  return field({
    label: 'Reason',
    name: 'reason',
    id: `${form}-reason`,
    required: true,
    maxLength: 200,
    value: typedIn(rejection, form, 'reason'),
    error: fieldErrorOf(rejection, form, 'reason'),
    hint,
  })
}

/** A form that stays closed until it is needed. It is open when it was rejected. */
export function foldedForm(view: {
  readonly summary: string
  readonly form: string
  readonly action: string
  readonly rejection: Rejection | undefined
  readonly content: Html
  readonly submit: string
  readonly look?: ButtonLook
  /** Open without a rejection. */
  readonly isOpen?: boolean
}): Html {
  const { summary, form, action, rejection, content, submit, look = { kind: 'quiet' } } = view
  return html`<details class="folded-form" id="${form}"${(rejection?.form === form || view.isOpen === true) && html` open`}><summary>${summary}</summary>
<form class="stack" action="${action}" method="post">${content}<div class="row">${submitButton(submit, look)}</div></form></details>`
}

/** Stands in place of sensitive forms for an operator who signed in a while ago. */
export function signInAgain(operator: Operator, next: string): Html | false {
  return (
    !operator.isRecent &&
    note(
      'info',
      html`<p>Credit, sign-in links, vendor keys and operator rights need a sign-in within the last hour.</p>${linkButton(`/sign-in?${new URLSearchParams({ again: '1', next }).toString()}`, 'Sign in again', { kind: 'quiet', size: 'small' })}`,
    )
  )
}

export function money(amount: Micros): string {
  return moneyText(Number(amount))
}

/** Revenue and costs, to whole cents. */
export function roundMoney(amount: Micros): string {
  return moneyText(Number((amount / 10_000n) * 10_000n))
}

export function timeOf(ms: number | null): Html | string {
  return ms === null ? '–' : time(toRfc3339(ms))
}

export function percent(part: number, whole: number): string {
  if (whole === 0) return '–'
  const share = (100 * part) / whole
  return `${share > 0 && share < 10 ? share.toFixed(1) : Math.round(share)}%`
}
