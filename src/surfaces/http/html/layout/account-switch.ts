import { publicId } from '../../../../lib/ids.ts'
import { ROLE_NAMES, type Role } from '../../../../lib/permissions.ts'
import { icon } from '../components/icon.ts'
import { html, type Html } from '../html.ts'

/** An account of the signed-in person, by its public id. */
export type ShownAccount = { readonly id: string; readonly name: string; readonly role: Role }

type Holder = {
  readonly caller: { readonly accountId: string }
  readonly accounts?: readonly ShownAccount[]
}

/** The form's address. It opens the home page of the chosen account. */
export const SWITCH_PATH = '/team/switch'

/** The choice of the account that this browser shows, for people with several accounts. */
export function accountSwitch({ caller, accounts = [] }: Holder): Html | false {
  const current = publicId('account', caller.accountId)
  const shown = accounts.find(({ id }) => id === current)
  const others = accounts.filter(({ id }) => id !== current)
  if (shown === undefined || others.length === 0) return false
  return html`<details class="account-switch"><summary><span class="visually-hidden">Account: </span>${nameOf(shown)}${icon('chevron')}</summary>
<form action="${SWITCH_PATH}" method="post"><p class="hint">Show another account</p>
${others.map((account) => html`<button class="side-link" type="submit" name="account" value="${account.id}">${nameOf(account)}</button>`)}</form></details>`
}

function nameOf({ name, role }: ShownAccount): Html {
  return html`<span><bdi>${name}</bdi><small>${ROLE_NAMES[role]}</small></span>`
}
