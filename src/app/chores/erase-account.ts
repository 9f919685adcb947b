import { closeAccount } from '../../accounts/close-account.ts'
import { forgetAccount } from '../../accounts/forget-account.ts'
import type { Account } from '../../accounts/account.ts'
import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import { endBrowsersOf } from '../../resources/browsers/end-browsers.ts'
import { deleteAllFiles } from '../../resources/files/delete-all.ts'
import { endSnapshotsOf } from '../../resources/sessions/delete-snapshots.ts'

export type ErasedAccount = {
  readonly account: Account
  readonly endedKeys: number
  readonly files: number
}

/** Closes an account and deletes its data except the books. Can be repeated. Throws what closing and forgetting throw. */
export async function eraseAccount(
  { database, now }: { readonly database: Database; readonly now: Clock },
  idOrEmail: string,
): Promise<ErasedAccount> {
  const { account, accountId, endedKeys } = await closeAccount(database, idOrEmail)
  await forgetAccount(database, accountId)
  // Before the files, because a recorded session would add one.
  await endBrowsersOf(database, accountId, now())
  await endSnapshotsOf(database, accountId, now())
  return { account, endedKeys, files: await deleteAllFiles(database, accountId, now()) }
}
