import type { OperateDeps, VendorKeyLine, VendorLine } from '../../../../operate/operate-deps.ts'
import type { KeyTest } from '../../../../operate/vendors/key-tests.ts'
import { field, selectField } from '../../html/components/field.ts'
import { note } from '../../html/components/note.ts'
import { code } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { OPERATOR_PATH } from '../../html/layout/navigation.ts'
import { fieldErrorOf, foldedForm, reasonField, rejectionNote, timeOf } from './console-page.ts'
import type { PageRequest, Rejection } from './console.ts'

export const TEST_KEY = 'test'
export const TEST_ALL = 'test-all'
export const REPLACE_KEY = 'replace'
export const ADD_KEY = 'add'
export const RESTORE_KEY = 'restore'

/** The result of the last test. */
export function verdictNote({ verdict, status, tookMs, testedMs }: KeyTest): Html {
  const took = html`in ${tookMs} ms, ${timeOf(testedMs)}`
  switch (verdict) {
    case 'accepted':
      return note('ok', html`<b>Key works.</b> The vendor accepted it ${took}.`)
    case 'refused':
      return note(
        'bad',
        html`<b>Key refused.</b> The vendor answered ${status} ${took}. Its calls fail meanwhile, not charged.`,
        { isQuiet: true },
      )
    case 'unpaid':
      return note(
        'warn',
        html`<b>Payment required.</b> The vendor answered ${status} ${took}. Add credit in the vendor’s console.`,
      )
    case 'unreachable':
      return note(
        'warn',
        html`<b>Not reachable.</b> ${status === null ? 'The vendor did not answer' : `The vendor answered ${status}`} ${took}. Check the network of this machine, then test again.`,
      )
    case 'unclear':
      return note(
        'info',
        html`<b>Unclear.</b> The vendor answered ${status} ${took}, which shows neither a valid nor an invalid key.`,
      )
    case 'no-free-request':
      return note(
        'info',
        html`<b>Not checked.</b> The vendor has no request that is free and needs the key.`,
      )
  }
}

/** Stores the first key of a vendor. Null if this gateway stores no keys, or all vendors have theirs. */
export function addForm({
  vendors,
  request,
  canReplace,
  rejection,
}: {
  readonly vendors: readonly VendorLine[]
  readonly request: PageRequest
  readonly canReplace: OperateDeps['replacements']
  readonly rejection: Rejection | undefined
}): Html | null {
  const options = vendors.flatMap(({ service, title, missing }) =>
    missing.map(({ credential, setting }): readonly [string, string] => [
      `${service} ${credential}`,
      `${title} (${setting})`,
    ]),
  )
  if (canReplace === null || !request.operator.isRecent || options.length === 0) return null
  const own = rejection?.form === ADD_KEY ? rejection : undefined
  return foldedForm({
    summary: 'Add a vendor key',
    form: ADD_KEY,
    action: `${OPERATOR_PATH}/vendors/${ADD_KEY}`,
    rejection: own,
    submit: 'Test and save',
    content: html`${rejectionNote(own, ADD_KEY, ['key', 'reason'])}
${selectField({ label: 'Vendor', name: 'place', id: `${ADD_KEY}-place`, options, chosen: own?.typed('place') })}
${field({ label: 'Key', name: 'key', id: `${ADD_KEY}-key`, type: 'password', autocomplete: 'off', required: true, maxLength: 4000, mono: true, error: fieldErrorOf(own, ADD_KEY, 'key'), hint: 'It is tested first if the vendor has a free request, stored encrypted and never shown again. All processes use it immediately. A setting of the environment comes first.' })}
${reasonField(own, ADD_KEY, 'For the audit trail.')}`,
  })
}

/** Replaces a key, or shows which setting to change. It is open while the vendor refuses the key. */
export function replaceForm({
  vendor,
  key,
  isRefused,
  request,
  canReplace,
  rejection,
}: {
  readonly vendor: VendorLine
  readonly key: VendorKeyLine
  readonly isRefused: boolean
  readonly request: PageRequest
  readonly canReplace: OperateDeps['replacements']
  readonly rejection: Rejection | undefined
}): Html | false {
  const bySetting =
    !key.isAdded &&
    html`<p class="muted">${isRefused ? 'To fix it, change' : 'Change'} ${code(key.setting)} ${key.source === 'file' ? html`(the file that ${code(`${key.setting}_FILE`)} names)` : 'in the environment of the gateway'}, restart every process, then test the key.</p>`
  if (canReplace === null)
    return html`${bySetting}<p class="muted">To replace keys here, set ${code('VENDOR_KEYS_SECRET')}.</p>`
  if (!request.operator.isRecent) return bySetting
  const form = `${REPLACE_KEY}-${vendor.service}-${key.credential}`
  const own =
    rejection?.typed('service') === vendor.service &&
    rejection.typed('credential') === key.credential
      ? { ...rejection, form }
      : undefined
  const hidden = html`<input type="hidden" name="service" value="${vendor.service}"><input type="hidden" name="credential" value="${key.credential}">`
  return html`${foldedForm({
    summary: `Replace ${key.setting}`,
    form,
    action: `${OPERATOR_PATH}/vendors/${REPLACE_KEY}`,
    rejection: own,
    isOpen: isRefused,
    submit: 'Test and save',
    look: isRefused ? {} : { kind: 'quiet' },
    content: html`${rejectionNote(own, form, ['key', 'reason'])}${hidden}
${field({ label: 'New key', name: 'key', id: `${form}-key`, type: 'password', autocomplete: 'off', required: true, maxLength: 4000, mono: true, error: fieldErrorOf(own, form, 'key'), hint: 'Create it in the vendor’s console. It is tested first, stored encrypted and never shown again. It applies until the setting changes.' })}
${reasonField(own, form, 'For the audit trail.')}`,
  })}${
    key.source === 'console' &&
    foldedForm({
      summary: key.isAdded ? `Remove ${key.setting}` : `Return to the key of ${key.setting}`,
      form: `${RESTORE_KEY}-${vendor.service}-${key.credential}`,
      action: `${OPERATOR_PATH}/vendors/${RESTORE_KEY}`,
      rejection: undefined,
      submit: key.isAdded ? 'Remove the key' : 'Use the key of the settings',
      look: { kind: 'danger' },
      content: html`${hidden}${reasonField(undefined, `${RESTORE_KEY}-${vendor.service}-${key.credential}`, 'For the audit trail.')}`,
    })
  }`
}
