/** The spending and the child keys of one key. */
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { MOST_LEVELS } from '../../../../keys/children/mint-child.ts'
import { linkButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { html, type Html } from '../../html/html.ts'
import { moneyText } from '../account/account-components.ts'
import { accountUrl, CALLS_PATH } from '../account/account-url.ts'
import type { KeyView } from './key-view.ts'
import { boundText, nameOfKeyAbove, spending } from './key-status.ts'
import { mayChangeKey } from './may-change-key.ts'
import { keyTree } from './key-tree.ts'

/** The limit of the key and the limits of the keys above it, and their remaining amounts. */
export function spendingCard({ key, bounds, visitor }: KeyView): Html {
  const above = (bounds?.ancestors ?? []).toReversed()
  const left =
    key.status === 'active' && bounds !== undefined
      ? html`<p class="stat-line"><strong>${moneyText(Number(bounds.amount))}</strong> can be spent now, ${boundText(bounds, visitor)}</p>`
      : html`<p class="stat-line">The key makes no calls.</p>`
  return card({
    title: 'Spending',
    aside: html`<a href="${accountUrl(CALLS_PATH, visitor, { key: key.id })}">View calls</a>`,
    content: html`${left}
${spending(key)}
${above.length > 0 && html`<h3>Limits of the keys above</h3>${above.map((one) => inherited(one, visitor))}`}`,
  })
}

function inherited(key: KeyRecord, visitor: Visitor): Html {
  const name = nameOfKeyAbove(key, visitor)
  return html`<p class="inherited">${visitor.caller.scope === 'own' ? name : html`<a class="given" href="${accountUrl(`/keys/${key.id}`, visitor)}">${name}</a>`}</p>${spending(key)}`
}

/** A page of the child keys, and the button that creates one. */
export function childrenCard({ key, children, visitor }: KeyView): Html | false {
  const { keys, isFirstPage, nextCursor } = children
  const canMint =
    mayChangeKey(visitor, key) &&
    key.status === 'active' &&
    (key.may_mint || key.primary) &&
    key.depth < MOST_LEVELS
  if (keys.length === 0 && !canMint) return false
  const to = (cursor: string): string =>
    `${accountUrl(`/keys/${key.id}`, visitor, { children: cursor })}#children`
  return card({
    title: 'Child keys',
    id: 'children',
    ...(canMint
      ? {
          aside: linkButton(accountUrl(`/keys/${key.id}/children/new`, visitor), 'New child key', {
            kind: 'quiet',
            size: 'small',
            icon: 'plus',
          }),
        }
      : {}),
    content: html`<p class="hint">Each spends from this key, too. Pausing or revoking this key stops all of them.</p>
${keys.length > 0 && keyTree({ ...children, visitor, parentId: key.id })}
${(!isFirstPage || nextCursor !== null) && html`<nav class="row" aria-label="Pages of the child keys">${!isFirstPage && linkButton(to(''), 'Newest', { kind: 'quiet', size: 'small' })}${nextCursor !== null && linkButton(to(nextCursor), 'Older', { kind: 'quiet', size: 'small' })}</nav>`}`,
  })
}
