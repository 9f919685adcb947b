import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createAddressCheck } from '../../../composites/emails/check-address.ts'
import { createDomainFacts } from '../../../composites/emails/domain-facts.ts'
import type { EmailDeps } from '../../../composites/emails/email-handlers.ts'
import { createProviderLimits, type Pause } from '../../../composites/emails/provider-limits.ts'
import { createSiteReader } from '../../../composites/emails/read-site-addresses.ts'
import type { DomainNames } from '../../../composites/shared/public-names.ts'
import type { Database } from '../../../db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import { createSlots } from '../../../lib/fairness/fair-slots.ts'
import { createTargetRation } from '../../../lib/fairness/target-ration.ts'
import type { Pages } from '../../../reader/create-pages.ts'
import { createDomainNames } from '../../../upstream/domain-names.ts'
import { createGuard, type GuardSettings } from '../../../upstream/guard.ts'
import { createMailboxProbe, SMTP_PORT } from '../../../upstream/smtp/probe-mailbox.ts'
import type { Config } from '../../settings/config.ts'
import { isPartEnabled } from '../../settings/in-house-settings.ts'
import { mailNameOf } from '../../settings/mail-name.ts'

/** The email servers, name servers, websites and pauses. Tests replace them. */
export type EmailWorld = {
  readonly names: DomainNames
  readonly lookup: GuardSettings['lookup']
  readonly port: number
  readonly homePages: (domain: string) => readonly string[]
  readonly pause: Pause
  readonly times: typeof TIMES
}

export type Emails = EmailDeps & {
  /** Whether the gateway has a name for email servers. */
  readonly asksServers: boolean
  close(): Promise<void>
}

/** For the descriptions of the actions. */
export const NOTE_WITHOUT_SERVERS =
  'On this gateway, addresses are verified by form and DNS only, because it has no public name: `unknown` is then free. The addresses of websites are found as usual.'

const CONNECT_MS = 5_000
const REPLY_MS = 10_000
const SESSIONS_MS = 20_000
/** emailasync has 30 s for a search. */
const TIMES = {
  read: { pageMs: 8_000, siteMs: 18_000 },
  find: { siteMs: 8_000, wholeMs: 25_000 },
}
const CHECKS = { places: 16, perAccount: 4, waiting: 64, what: 'an email check' }
/** Sessions with email servers that are not charged, within an hour. */
const RATION = { ofAccount: 120, ofAccountToTarget: 20, toTarget: 200, what: 'email checks' }
const SITES = { places: 8, perAccount: 3, waiting: 32, what: 'a search for addresses' }

const pauseFor: Pause = (ms, signal) => delay(ms, undefined, { signal })

/** Email checks of this gateway; null if the operator did not enable them. */
export function openEmails(
  config: Pick<Config, 'inHouse' | 'mail' | 'publicUrl' | 'allowPrivateNetworks'>,
  {
    database,
    now,
    pages,
    world = {},
  }: {
    readonly database: Database
    readonly now: Clock
    readonly pages: Pick<Pages, 'render2Scrape' | 'mayCrawl'>
    readonly world?: Partial<EmailWorld> | undefined
  },
  isDefault: boolean,
): Emails | null {
  if (!isPartEnabled(config.inHouse, 'emails', isDefault)) return null
  const name = mailNameOf(config)
  const { pause = pauseFor, times = TIMES } = world
  const guard = createGuard({
    allowPrivateNetworks: config.allowPrivateNetworks,
    publicPorts: new Set([SMTP_PORT]),
    lookup: world.lookup,
  })
  const ration = createTargetRation({ ...RATION, now })
  return {
    database,
    now,
    pages,
    ration,
    asksServers: name !== null,
    findTimes: times.find,
    checkAddress: createAddressCheck({
      names: world.names ?? createDomainNames(),
      probe:
        name === null
          ? null
          : createMailboxProbe({
              guard,
              port: world.port ?? SMTP_PORT,
              name,
              connectMs: CONNECT_MS,
              replyMs: REPLY_MS,
            }),
      facts: createDomainFacts(now),
      limits: createProviderLimits({ now, pause }),
      ration,
      slots: createSlots(CHECKS),
      sessionsMs: SESSIONS_MS,
      decoyName: () => `x${randomBytes(8).toString('hex')}`,
    }),
    readSite: createSiteReader({
      pages,
      now,
      pause,
      slots: createSlots(SITES),
      readTimes: times.read,
      homePages: world.homePages ?? homePagesOf,
    }),
    close: () => guard.close(),
  }
}

function homePagesOf(domain: string): readonly string[] {
  return [`https://${domain}/`, `https://www.${domain}/`, `http://${domain}/`]
}
