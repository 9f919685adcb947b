import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { EventRecord } from '../../../../events/event-record.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { actionForm, linkButton } from '../../html/components/button.ts'
import { note } from '../../html/components/note.ts'
import { code, time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'
import { moneyText } from '../account/account-components.ts'
import { accountUrl, CALLS_PATH } from '../account/account-url.ts'

const RULES: Readonly<Record<string, string>> = {
  repeated_call: 'the same call returned the same answer again and again',
  fruitless_calls: 'its calls of one action found nothing again and again',
  steep_spending: 'it suddenly spent far more than usual',
}

/** A key that the loop breaker paused, with the reason and the button that resumes it. */
export function loopNote(key: KeyRecord, { data, timestamp }: EventRecord, visitor: Visitor): Html {
  const to = accountUrl(`/keys/${key.id}/pause`, visitor)
  const { rule, action, seen, spent_micros: spent } = data
  const reason = RULES[String(rule)] ?? 'it repeated itself'
  return note(
    'warn',
    html`<div class="row between"><p><strong><bdi>${key.label ?? key.key_prefix}</bdi> was paused ${time(timestamp)}</strong>: ${reason}. ${typeof action === 'string' && html`Action ${code(action)}${typeof seen === 'number' && `, ${seen} calls`}${typeof spent === 'number' && `, ${moneyText(spent)} spent`}.`}</p>
<div class="row">${linkButton(accountUrl(CALLS_PATH, visitor, { key: key.id }), 'View the calls', { kind: 'quiet', size: 'small' })}${visitor.caller.primary && actionForm(to, 'Resume', { kind: 'quiet', size: 'small', hidden: html`<input type="hidden" name="paused" value="no">` })}</div></div>`,
  )
}
