import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { linkButton, submitButton } from '../../html/components/button.ts'
import { card } from '../../html/components/card.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { accountUrl } from '../account/account-url.ts'
import { onceField } from '../visitor/answer-form-once.ts'
import type { FieldErrors } from '../visitor/field-errors.ts'
import { keyFields } from './key-fields.ts'
import type { KeyFormValues } from './key-form.ts'
import { reachSummary } from './key-reach.ts'
import { keyCrumbs } from './key-crumbs.ts'

export type NewKeyView = {
  readonly visitor: Visitor
  /** The key above the new one; null for a key at the top. */
  readonly parent: KeyRecord | null
  /** The parent and the keys above it. */
  readonly above: readonly KeyRecord[]
  readonly typed: KeyFormValues
  readonly errors: FieldErrors
  /** The names of all actions. */
  readonly actions: readonly string[]
  /** The token of a form that must be sent again. */
  readonly onceToken?: string
  /** An error about no field. */
  readonly problem?: string
}

/** The form of a new key, or of a new child key. */
export function newKeyPage(site: Site, view: NewKeyView): string {
  const { visitor, parent, problem } = view
  const [title, path] =
    parent === null ? ['New key', '/keys'] : ['New child key', `/keys/${parent.id}/children`]
  const back = accountUrl(parent === null ? '/keys' : `/keys/${parent.id}`, visitor)
  return layout(site, {
    path: `${path}/new`,
    title,
    description: 'The form of a new key.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    islands: ['key-policy'],
    main: html`${pageHeader({
      title,
      crumbs: keyCrumbs(visitor, parent, title),
      lead:
        parent === null
          ? 'Create a separate key for each program. You can change everything but the secret later.'
          : html`It spends from the limits of <bdi>${parent.label ?? parent.key_prefix}</bdi>, too, and its policy binds the new key.`,
    })}
${problem !== undefined && note('bad', problem)}
<form id="new" class="key-form" action="${accountUrl(path, visitor)}" method="post">${onceField(view.onceToken)}
${card({
  title: 'Policy',
  content: keyFields({
    values: view.typed,
    errors: view.errors,
    reach: reachSummary({ above: view.above, key: null, names: view.actions }),
  }),
  foot: html`<span>The secret is shown once, on the next page.</span><div class="row">${linkButton(back, 'Cancel', { kind: 'quiet' })}${submitButton(`Create ${visitor.caller.mode} key`)}</div>`,
})}</form>`,
  })
}
