import type { Config } from '../../../app/settings/config.ts'
import { isPartEnabled } from '../../../app/settings/in-house-settings.ts'
import {
  greetMailServer,
  reportDomain,
  type DomainProbes,
} from '../../../resources/inboxes/domain-report.ts'
import { createDnsResolver } from '../../../resources/inboxes/receiving/check-sender.ts'
import { missing, ok, type Check } from './check.ts'

/** The domain of inboxes, and which senders reach them. */
export async function checkInboxes({ mail }: Pick<Config, 'mail'>, title: string): Promise<Check> {
  return ok(
    title,
    mail.isLocal
      ? `${mail.domain}, with email from this machine only; set MAIL_DOMAIN for email from the internet (docs/in-house.md)`
      : mail.domain,
  )
}

const PROBES: DomainProbes = { resolve: createDnsResolver(), greet: greetMailServer }

/** The relay, DNS records and port of inboxes; nothing if they are off. */
export async function checkMailDomain(
  { mail, people, inHouse }: Pick<Config, 'mail' | 'people' | 'inHouse'>,
  probes: DomainProbes = PROBES,
): Promise<readonly Check[]> {
  if (mail.isLocal || !isPartEnabled(inHouse, 'inboxes', true)) return []
  const findings = await reportDomain(mail, probes)
  return [
    people.mail === null
      ? missing(
          'inboxes: relay',
          'none, so inboxes receive, and send only to each other',
          'Set SMTP_URL and MAIL_FROM to a relay that may send for MAIL_DOMAIN.',
        )
      : ok('inboxes: relay', new URL(people.mail.smtpUrl).host),
    ...findings.map(({ subject, found, fix }) => {
      const name = `inboxes: ${subject}`
      return fix === null ? ok(name, found) : missing(name, found, fix)
    }),
  ]
}
