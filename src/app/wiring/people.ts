import { openProvider } from '../../auth/oidc-provider.ts'
import type { PeopleParts } from '../../auth/parts.ts'
import { createSmtpMailer } from '../../auth/smtp-mailer.ts'
import type { PeopleSettings } from '../settings/people-settings.ts'

/** Builds what signing in needs from the configuration. */
export function openPeople({
  signUp,
  welcomeCreditsPerDay,
  mail,
  provider,
}: PeopleSettings): PeopleParts {
  return {
    signUp,
    welcomeCreditsPerDay,
    mailer: mail === null ? null : createSmtpMailer(mail),
    provider: provider === null ? null : openProvider(provider),
  }
}
