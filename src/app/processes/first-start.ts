import {
  createAccount,
  WELCOME_CREDIT,
  type CreatedAccount,
} from '../../accounts/create-account.ts'
import { findOwner } from '../../accounts/find-account.ts'
import type { Database } from '../../db/database.ts'
import { findCaller } from '../../keys/find-caller.ts'
import { hashSecret } from '../../keys/format.ts'
import { DAY_MS, type Clock } from '../../lib/clock.ts'
import { formatDollars } from '../../lib/money.ts'
import { makeLink } from '../../auth/entry-link.ts'
import { linkUrl } from '../../auth/link-mail.ts'
import type { Config } from '../settings/config.ts'

const OWNER_EMAIL = 'owner@localhost'

/** On the first start of a database: makes the owner account and returns the welcome text with its keys, shown this once. Else null. */
export async function firstStart(
  config: Config,
  database: Database,
  now: Clock,
): Promise<string | null> {
  if ((await findOwner(database)) !== null) return null
  try {
    const created = await createAccount(
      { database, now },
      {
        email: OWNER_EMAIL,
        tier: 'personal',
        owner: true,
        ...(config.ownerKey === null ? {} : { liveSecret: config.ownerKey }),
      },
    )
    return welcomeText(config, created, await signInText(config, database, now))
  } catch (error) {
    // Another process made it a moment ago, and shows its keys.
    if ((await findOwner(database)) !== null) return null
    throw error
  }
}

/** What the operator should know of a TOLLGATE_OWNER_KEY that does nothing, or null. */
export async function ignoredOwnerKey(
  { ownerKey }: Config,
  database: Database,
  now: Clock,
): Promise<string | null> {
  if (ownerKey === null) return null
  const [found, owner] = await Promise.all([
    findCaller(database, hashSecret(ownerKey), now()),
    findOwner(database),
  ])
  if (found !== null && found.caller.accountId === owner?.accountId) return null
  return 'TOLLGATE_OWNER_KEY is no key of the owner account: it counts only when that account is made, at the first start. Calls with it answer 401. Remove it, or set it to a key of the account; "./tollgate keys rotate" gives one a new secret.'
}

/** The output of a server that was given its key is often no safe place for a link that signs its owner in. */
async function signInText(
  { publicUrl, ownerKey }: Config,
  database: Database,
  now: Clock,
): Promise<string> {
  const command = `./tollgate people link --account ${OWNER_EMAIL}`
  const byCommand = `To sign in to the pages as the owner, open the link that this command prints:\n\n    ${command}`
  if (ownerKey !== null) return byCommand
  // The keys are shown once, so a link that cannot be made keeps nothing of them back.
  const token = await makeLink(
    { database, now },
    { email: OWNER_EMAIL, makesAccount: false, seconds: DAY_MS / 1000 },
  ).catch(() => null)
  if (token === null) return byCommand
  return `To sign in to the pages as the owner, open this link within 24 hours. It works once; the command below prints another:\n\n    ${linkUrl(publicUrl, token)}\n\n    ${command}`
}

function welcomeText(
  { publicUrl, ownerKey }: Config,
  { live, test }: CreatedAccount,
  signIn: string,
): string {
  // A key that the operator supplied is kept somewhere safe already, and the output of a server often is not.
  const [liveKey, authorization] =
    ownerKey === null
      ? [live.key, `'Authorization: Bearer ${live.key}'`]
      : ['the one in TOLLGATE_OWNER_KEY', '"Authorization: Bearer $TOLLGATE_OWNER_KEY"']
  return `
  Welcome to Tollgate. The owner account has ${formatDollars(WELCOME_CREDIT.personal)} of credit. These keys are shown once; keep them.

    live key  ${liveKey}
    test key  ${test.key}   (simulated vendors, play money)

  Your first paid call reads a real page for 2¢:

    curl -s ${publicUrl}/api/run/core/onescrape \\
      -H ${authorization} \\
      -H 'Content-Type: application/json' \\
      -d '{"urls":["${publicUrl}/guide"]}'

  ${signIn}

`
}
