import { createSmtpMailer } from '../../../auth/smtp-mailer.ts'
import type { Config } from '../../../app/settings/config.ts'
import { broken, missing, ok, type Check } from './check.ts'
import { messageOf } from './machine.ts'

/** Whether links can be mailed to people; the mail server is greeted once. */
export async function checkMail({ people: { mail } }: Pick<Config, 'people'>): Promise<Check> {
  const name = 'mail'
  if (mail === null)
    return missing(
      name,
      'not set up: the operator hands out links to sign in (./tollgate people link)',
      'Set SMTP_URL and MAIL_FROM.',
    )
  try {
    await createSmtpMailer(mail).greet()
    return ok(
      name,
      `${new URL(mail.smtpUrl).host} lets this gateway in; mails come from ${mail.from}`,
    )
  } catch (error) {
    return broken(
      name,
      messageOf(error),
      'Correct SMTP_URL, or start that server: nobody gets a link until then.',
    )
  }
}

/** Who makes accounts here. */
export function checkSignUp({
  people: { signUp, welcomeCreditsPerDay, mail },
  publicUrl,
}: Pick<Config, 'people' | 'publicUrl'>): Check {
  return ok(
    'sign-up',
    signUp
      ? `open: whoever shows to have an e-mail address makes an account at ${publicUrl}${mail === null ? '/sign-in' : '/sign-up'}, ${welcomeCreditsPerDay} in a day with welcome credit`
      : 'closed: the operator makes accounts (./tollgate accounts create)',
  )
}
