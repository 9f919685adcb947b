import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { publicId } from '../../../../lib/ids.ts'
import { may } from '../../guards/requires.ts'

/** Whether the pages offer new keys. */
export function mayCreateKeys(visitor: Visitor): boolean {
  return visitor.caller.primary && may(visitor, 'keys.own')
}

/** Whether the pages offer changes of this key. Developers change only their own keys. */
export function mayChangeKey(visitor: Visitor, key: Pick<KeyRecord, 'member_id'>): boolean {
  if (!mayCreateKeys(visitor)) return false
  const { member } = visitor.caller
  return (
    may(visitor, 'keys.manage') ||
    (member !== undefined && key.member_id === publicId('member', member.personId))
  )
}
