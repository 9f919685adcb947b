import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import type { Crumb } from '../../html/components/page-header.ts'
import { accountUrl } from '../account/account-url.ts'

/** The way to a page of a key. `title`: the page itself, below the key. */
export function keyCrumbs(
  visitor: Visitor,
  key: KeyRecord | null,
  title?: string,
): readonly Crumb[] {
  const name = key?.label ?? `${key?.key_prefix}…`
  return [
    { label: 'Keys', href: accountUrl('/keys', visitor) },
    ...(key === null
      ? []
      : [
          title === undefined
            ? { label: name }
            : { label: name, href: accountUrl(`/keys/${key.id}`, visitor) },
        ]),
    ...(title === undefined ? [] : [{ label: title }]),
  ]
}
