import type { Actor } from '../../keys/caller.ts'
import type { KeyDeps } from '../../keys/key-deps.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import { chooseAccount, hasOpenAccount } from '../records/choose-account.ts'
import {
  endSessionsOfAccount,
  moveSession,
  type PersonSession,
} from '../records/browser-session.ts'
import { findMember, requireAnotherOwner } from './find-member.ts'
import { endMembership, PAUSED } from './remove-member.ts'
import { lockTeam } from './require-manager.ts'

/**
 * Removes the signed-in person from the account. Their keys are paused and belong to the account: its owners decide
 * about them. This browser then shows another account of the person, which is returned; null if they have none, and
 * it is signed out. Throws AppError not_found, last_owner.
 */
export async function leaveAccount(
  deps: KeyDeps,
  { accountId }: Pick<Actor, 'accountId'>,
  { personId, session }: Pick<PersonSession, 'personId' | 'session'>,
): Promise<Id | null> {
  const { next, changes } = await deps.database.transaction(async (tx) => {
    await lockTeam(tx, { accountId })
    const found = await findMember(tx, accountId, publicId('member', personId))
    await requireAnotherOwner(tx, accountId, found)
    const named = await endMembership(tx, accountId, personId, PAUSED)
    const other = (await hasOpenAccount(tx, personId)) ? await chooseAccount(tx, personId) : null
    // The session keeps its age, so leaving is no new sign-in. Sessions are last, as in all lock orders.
    if (other !== null) await moveSession(tx, { personId, session, accountId: other })
    await endSessionsOfAccount(tx, accountId, personId)
    return { next: other, changes: named }
  })
  deps.forget(changes)
  return next
}
