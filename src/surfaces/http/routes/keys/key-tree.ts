/** Keys as a list, in which the child keys of a key fold out below it. */
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import type { ListedKey } from '../../../../keys/list-key-trees.ts'
import type { Spendable } from '../../../../keys/spendable.ts'
import { html, type Html } from '../../html/html.ts'
import { code, time } from '../../html/components/text.ts'
import { countOf } from '../account/account-components.ts'
import { accountUrl } from '../account/account-url.ts'
import { scopeLabel } from './key-form.ts'
import { clientOf, keyBadge, spendableNow, spending } from './key-status.ts'

export type KeyTreeView = {
  /** Each key is followed by the keys below it. */
  readonly keys: readonly ListedKey[]
  readonly bounds: ReadonlyMap<string, Spendable>
  /** The ids of keys that the loop breaker paused. */
  readonly looping: ReadonlySet<string>
  readonly visitor: Visitor
  /** The key on whose page the list stands. */
  readonly parentId?: string
}

/** With at most this many listed keys below it, a key starts unfolded. */
const MOST_OPEN = 8

export function keyTree(view: KeyTreeView): Html {
  return html`<div class="key-tree">
<div class="key-head" aria-hidden="true"><span>Key</span><span>Spent</span><span>Can spend now</span><span>Last used</span><span>Status</span></div>
${branch(view, nest(view.keys))}</div>`
}

type Node = { readonly listed: ListedKey; readonly below: readonly Node[] }

/** The flat list as a tree. A key without its parent in the list is at the top. */
function nest(keys: readonly ListedKey[]): readonly Node[] {
  const known = new Set(keys.map(({ key }) => key.id))
  const children = Map.groupBy(keys, ({ key, level }) =>
    level > 0 && key.parent_id !== null && known.has(key.parent_id) ? key.parent_id : null,
  )
  const nodesBelow = (id: string | null): readonly Node[] =>
    (children.get(id) ?? []).map((listed) => ({ listed, below: nodesBelow(listed.key.id) }))
  return nodesBelow(null)
}

function branch(view: KeyTreeView, nodes: readonly Node[]): Html {
  return html`<ul>${nodes.map(
    (node) => html`<li>${row(view, node.listed)}${below(view, node)}</li>
`,
  )}</ul>`
}

function below(view: KeyTreeView, { listed, below: nodes }: Node): Html | false {
  const { key, level, children } = listed
  if (children === 0) return false
  const all = html`<a href="${accountUrl(`/keys/${key.id}`, view.visitor)}#children">All ${childCountText(children)}</a>`
  if (nodes.length === 0) return html`<p class="key-more level-${level}">${all}</p>`
  return html`<details${nodes.length <= MOST_OPEN && html` open`}><summary class="level-${level}">${childCountText(children)}</summary>
${branch(view, nodes)}${nodes.length < children && html`<p class="key-more level-${level + 1}">${all}</p>`}</details>`
}

function childCountText(count: number): string {
  return countOf(count, 'child key')
}

function row(view: KeyTreeView, { key, level }: ListedKey): Html {
  return html`<div class="key-row level-${level}">
<div class="key-name">${name(key, level, view)}</div>
<div>${spending(key)}</div>
<div class="key-spendable"><span class="cell-label">Can spend now</span> ${spendableNow(key, view.bounds.get(key.id), view.visitor)}</div>
<div class="key-used"><span class="cell-label">Last used</span> ${key.last_used_at === null ? 'Never' : time(key.last_used_at)}</div>
<div>${keyBadge(key, view.looping.has(key.id))}${key.former_key_valid_until !== null && html`<small>former secret until ${time(key.former_key_valid_until)}</small>`}</div>
</div>`
}

function name(key: KeyRecord, level: number, { visitor, parentId }: KeyTreeView): Html {
  const to = (id: string): string => accountUrl(`/keys/${id}`, visitor)
  const isOrphan = key.parent_id !== null && key.parent_id !== parentId && level === 0
  return html`<a class="given" href="${to(key.id)}">${key.label ?? 'No label'}</a>
<span class="key-facts">${code(`${key.key_prefix}…`)}${key.external_id !== null && html` <bdi class="given">${key.external_id}</bdi>`} <span>${scopeLabel(key.scope)}</span>${key.client_id !== null && html` <span>Connected client: <bdi>${clientOf(key.client_id)}</bdi></span>`}${isOrphan && html` <a href="${to(key.parent_id ?? '')}">Child key, level ${key.depth}</a>`}</span>`
}
