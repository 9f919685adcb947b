import { openProvider } from '../people/oidc-provider.ts'
import type { PeopleParts } from '../people/parts.ts'
import { createSmtpMailer } from '../people/smtp-mailer.ts'
import type { PeopleSettings } from './people-settings.ts'

/** What signing in needs, as it is set up here. */
export function openPeople({ signUp, welcomeCreditsPerDay, mail, provider }: PeopleSettings): PeopleParts {
  return {
    signUp,
    welcomeCreditsPerDay,
    mailer: mail === null ? null : createSmtpMailer(mail),
    provider: provider === null ? null : openProvider(provider),
  }
}
