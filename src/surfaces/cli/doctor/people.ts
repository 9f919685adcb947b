import { createSmtpMailer } from '../../../auth/smtp-mailer.ts'
import type { Config } from '../../../app/settings/config.ts'
import { broken, missing, ok, type Check } from './check.ts'
import { messageOf } from './machine.ts'

/** Connects to the SMTP server that sends sign-in links. */
export async function checkMail({ people: { mail } }: Pick<Config, 'people'>): Promise<Check> {
  const name = 'mail'
  if (mail === null)
    return missing(
      name,
      'not set up: only the operator can create sign-in links (./tollgate people link)',
      'Set SMTP_URL and MAIL_FROM.',
    )
  try {
    await createSmtpMailer(mail).verify()
    return ok(name, `${new URL(mail.smtpUrl).host} accepts this gateway; sender: ${mail.from}`)
  } catch (error) {
    return broken(
      name,
      messageOf(error),
      'Correct SMTP_URL, or start that server. Until then the gateway cannot send sign-in links.',
    )
  }
}

/** Reports who can create accounts. */
export function checkSignUp({
  people: { signUp, welcomeCreditsPerDay, mail },
  publicUrl,
}: Pick<Config, 'people' | 'publicUrl'>): Check {
  return ok(
    'sign-up',
    signUp
      ? `open: anyone with a verified email address can create an account at ${publicUrl}${mail === null ? '/sign-in' : '/sign-up'}; welcome credit for ${welcomeCreditsPerDay} accounts per day`
      : 'closed: only the operator creates accounts (./tollgate accounts create)',
  )
}
