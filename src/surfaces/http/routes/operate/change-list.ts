import { describeChange, type ChangeRecord } from '../../../../audit/change-record.ts'
import { time } from '../../html/components/text.ts'
import { html, type Html } from '../../html/html.ts'

/** The changes as a timeline. `names`: email addresses by the ids of members and accounts. */
export function changeList(
  changes: readonly ChangeRecord[],
  names: ReadonlyMap<string, string>,
): Html {
  if (changes.length === 0) return html`<p class="muted">No changes.</p>`
  return html`<ol class="change-list">${changes.map(
    (
      change,
    ) => html`<li class="${kindOf(change)}"><p><bdi class="given">${describeChange(change)}</bdi></p>
${change.reason !== null && html`<p><bdi class="given">“${change.reason}”</bdi></p>`}
<p class="muted"><bdi>${authorName(change.author, names)}</bdi>${change.origin !== null && html`, ${change.origin}`} · ${time(change.changed_at)}</p></li>
`,
  )}</ol>`
}

function kindOf({ author, what }: ChangeRecord): string {
  if (what === 'deleted') return 'bad'
  return author.startsWith('operator ') ? 'good' : 'plain'
}

const AUTHOR_ID = /(?:mem|acc)_[0-9a-f]{32}/

/** The author with the email address of an operator instead of the id. */
export function authorName(author: string, names: ReadonlyMap<string, string>): string {
  if (author === 'visitor') return 'visitor (not signed in)'
  return author.replace(AUTHOR_ID, (id) => names.get(id) ?? id)
}
