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
import { createLink } from '../../auth/sign-in-link.ts'
import { linkUrl } from '../../auth/link-email.ts'
import type { Config } from '../settings/config.ts'

const OWNER_EMAIL = 'owner@localhost'

/** On the first start of a database, creates the owner account and returns the welcome text with its keys, shown only once. Otherwise null. */
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
    // Another process created it a moment ago and shows its keys.
    if ((await findOwner(database)) !== null) return null
    throw error
  }
}

/** A warning for a TOLLGATE_OWNER_KEY without effect, or null. */
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
  return 'TOLLGATE_OWNER_KEY is not a key of the owner account, so calls with it return 401. It applies only when the account is created, at the first start. Remove it, or set it to a key of the account; "./tollgate keys rotate" creates a new secret.'
}

/** The output of a server with a configured key is often not a safe place for the owner's sign-in link. */
async function signInText(
  { publicUrl, ownerKey }: Config,
  database: Database,
  now: Clock,
): Promise<string> {
  const command = `./tollgate people link --account ${OWNER_EMAIL}`
  const byCommand = `To sign in as the owner, open the link printed by this command:\n\n    ${command}`
  if (ownerKey !== null) return byCommand
  // The keys are shown once, so they are printed even when no link can be created.
  const token = await createLink(
    { database, now },
    { email: OWNER_EMAIL, makesAccount: false, seconds: DAY_MS / 1000 },
  ).catch(() => null)
  if (token === null) return byCommand
  return `To sign in as the owner, open this link within 24 hours. It works once. The command below prints a new one:\n\n    ${linkUrl(publicUrl, token)}\n\n    ${command}`
}

function welcomeText(
  { publicUrl, ownerKey }: Config,
  { live, test }: CreatedAccount,
  signIn: string,
): string {
  // The operator already stores a configured key, and the output of a server is often not a safe place.
  const [liveKey, authorization, shownOnce] =
    ownerKey === null
      ? [live.key, `'Authorization: Bearer ${live.key}'`, 'These keys are shown once; store them.']
      : [
          'the one in TOLLGATE_OWNER_KEY',
          '"Authorization: Bearer $TOLLGATE_OWNER_KEY"',
          'The test key is shown once; store it.',
        ]
  return `
  Welcome to Tollgate. The owner account has ${formatDollars(WELCOME_CREDIT.personal)} of credit. ${shownOnce}

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
