import { PAUSE_ENDS, RESUME_RESTORES } from '../../../../accounts/pause-account.ts'
import { submitButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { field, selectField } from '../../html/components/field.ts'
import { html, type Html } from '../../html/html.ts'
import { newToken } from '../../../../lib/token.ts'
import type { AccountView } from './account-view.ts'
import { ACCOUNTS_PATH } from './accounts-page.ts'
import {
  fieldErrorOf,
  foldedForm,
  reasonField,
  rejectionNote,
  signInAgain,
  typedIn,
} from './console-page.ts'
import type { PageRequest } from './console.ts'

/** The forms of an account's page, by their names. */
export const ACCOUNT_FORMS = {
  grant: 'grant',
  take: 'take',
  link: 'link',
  cap: 'daily-cap',
  pause: 'pause',
  resume: 'resume',
  close: 'close',
  operator: 'operator',
} as const

const EXPIRIES = [
  ['', 'never'],
  ['30d', 'in 30 days'],
  ['90d', 'in 90 days'],
  ['365d', 'in a year'],
] as const

/** The forms of an account. Those that give money or access need a recent sign-in. */
export function accountActions(request: PageRequest, view: AccountView): Html {
  const { line } = view.details
  const again = signInAgain(request.operator, `${ACCOUNTS_PATH}/${line.id}`)
  const isOwn = request.operator.visitor.caller.accountId === line.accountId
  return html`${
    line.state === 'active' &&
    (again === false ? grantCard(view) : card({ title: 'Grant credit', content: again }))
  }
${card({
  title: 'More actions',
  content: html`<div class="actions-list">${again === false && line.state === 'active' && link(view)}
${again === false && take(view)}
${dailyCap(view)}
${!line.owner && !isOwn && line.state !== 'closed' && pause(view)}
${again === false && !isOwn && line.state !== 'closed' && operatorRights(view)}
${again === false && !line.owner && !isOwn && line.state !== 'closed' && close(view)}</div>`,
})}`
}

function addressOf({ details }: AccountView, form: string): string {
  return `${ACCOUNTS_PATH}/${details.line.id}/${form}`
}

function grantCard(view: AccountView): Html {
  const { rejection } = view
  const form = ACCOUNT_FORMS.grant
  return card({
    title: 'Grant credit',
    content: html`<form class="stack" id="${form}" action="${addressOf(view, form)}" method="post">
${rejectionNote(rejection, form, ['dollars', 'expires', 'reason'])}
<input type="hidden" name="once" value="${typedIn(rejection, form, 'once') || newToken()}">
<div class="fields-row">${amountField(view, form)}
${selectField({ label: 'Expires', name: 'expires', options: EXPIRIES, chosen: typedIn(rejection, form, 'expires'), error: fieldErrorOf(rejection, form, 'expires') })}</div>
${reasonField(rejection, form)}
<div class="row">${submitButton('Grant credit')}</div></form>`,
  })
}

function amountField({ rejection }: AccountView, form: string): Html {
  return field({
    label: 'Amount',
    name: 'dollars',
    id: `${form}-dollars`,
    unit: '$',
    inputMode: 'decimal',
    required: true,
    placeholder: '25.00',
    value: typedIn(rejection, form, 'dollars'),
    error: fieldErrorOf(rejection, form, 'dollars'),
  })
}

function take(view: AccountView): Html {
  const { rejection } = view
  const form = ACCOUNT_FORMS.take
  return foldedForm({
    summary: 'Take credit back',
    form,
    action: addressOf(view, form),
    rejection,
    submit: 'Take credit',
    look: { kind: 'danger' },
    content: html`${rejectionNote(rejection, form, ['dollars', 'reason'])}<input type="hidden" name="once" value="${typedIn(rejection, form, 'once') || newToken()}">
<p class="muted">Removes available credit, for example after a refund. Held amounts do not change.</p>${amountField(view, form)}${reasonField(rejection, form)}`,
  })
}

function link(view: AccountView): Html {
  const { rejection } = view
  const form = ACCOUNT_FORMS.link
  return foldedForm({
    summary: 'Create a sign-in link',
    form,
    action: addressOf(view, form),
    rejection,
    submit: 'Create link',
    content: html`${rejectionNote(rejection, form, ['reason'])}<p class="muted">Anyone with the link can sign in as the owner of this account. It works once, within 24 hours, and is shown once.</p>${reasonField(rejection, form)}`,
  })
}

function dailyCap(view: AccountView): Html {
  const { rejection } = view
  const form = ACCOUNT_FORMS.cap
  return foldedForm({
    summary: 'Change the daily cap for language models',
    form,
    action: addressOf(view, form),
    rejection,
    submit: 'Save cap',
    content: html`${rejectionNote(rejection, form, ['dollars', 'reason'])}${amountField(view, form)}${reasonField(rejection, form)}`,
  })
}

function pause(view: AccountView): Html {
  const { rejection, details } = view
  const isPaused = details.line.state === 'paused'
  const form = isPaused ? ACCOUNT_FORMS.resume : ACCOUNT_FORMS.pause
  return foldedForm({
    summary: isPaused ? 'Resume the account' : 'Pause the account',
    form,
    action: addressOf(view, form),
    rejection,
    submit: isPaused ? 'Resume account' : 'Pause account',
    content: html`${rejectionNote(rejection, form, ['reason'])}<p class="muted">${isPaused ? RESUME_RESTORES : PAUSE_ENDS}</p>${reasonField(rejection, form)}`,
  })
}

function operatorRights(view: AccountView): Html {
  const { rejection, details } = view
  const form = ACCOUNT_FORMS.operator
  const { isOperator } = details.line
  return foldedForm({
    summary: isOperator ? 'Remove operator rights' : 'Make an operator',
    form,
    action: addressOf(view, form),
    rejection,
    submit: isOperator ? 'Remove operator rights' : 'Make an operator',
    look: { kind: 'danger' },
    content: html`${rejectionNote(rejection, form, ['confirm', 'reason'])}<input type="hidden" name="operator" value="${isOperator ? 'no' : 'yes'}">
<p class="muted">${isOperator ? 'Its owners can no longer open this console.' : 'Its owners see every account here, can grant credit and can sign in as anyone.'}</p>${confirmField(view, form)}${reasonField(rejection, form)}`,
  })
}

function close(view: AccountView): Html {
  const { rejection } = view
  const form = ACCOUNT_FORMS.close
  return foldedForm({
    summary: 'Close the account',
    form,
    action: addressOf(view, form),
    rejection,
    submit: 'Close account',
    look: { kind: 'danger' },
    content: html`${rejectionNote(rejection, form, ['confirm', 'reason'])}<p class="muted">Ends all keys, sessions, links and webhooks for good. Credit and history stay in the books.</p>${confirmField(view, form)}${reasonField(rejection, form)}`,
  })
}

function confirmField({ rejection, details }: AccountView, form: string): Html {
  return field({
    label: 'Email address of the account, to confirm',
    name: 'confirm',
    id: `${form}-confirm`,
    required: true,
    autocomplete: 'off',
    placeholder: details.line.email,
    value: typedIn(rejection, form, 'confirm'),
    error: fieldErrorOf(rejection, form, 'confirm'),
  })
}
