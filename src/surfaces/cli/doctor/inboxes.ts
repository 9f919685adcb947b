import type { Config } from '../../../app/settings/config.ts'
import { missing, ok, type Check } from './check.ts'

/** Whether the domain and the relay of inboxes are set. */
export async function checkInboxes(
  { mail, people }: Pick<Config, 'mail' | 'people'>,
  title: string,
): Promise<Check> {
  if (mail === null)
    return missing(title, 'no domain', 'Set MAIL_DOMAIN, and the DNS records of docs/in-house.md.')
  if (people.mail === null)
    return missing(
      title,
      `${mail.domain}, receives only`,
      'Set SMTP_URL and MAIL_FROM, so that inboxes can send.',
    )
  return ok(title, mail.domain)
}
