import { openProvider } from '../../auth/oidc-provider.ts'
import type { AuthServices } from '../../auth/auth-services.ts'
import { createSmtpMailer } from '../../auth/smtp-mailer.ts'
import type { AuthSettings } from '../settings/auth-settings.ts'

/** Builds what signing in needs from the configuration. */
export function openAuth({
  signUp,
  welcomeCreditsPerDay,
  mail,
  provider,
}: AuthSettings): AuthServices {
  return {
    signUp,
    welcomeCreditsPerDay,
    mailer: mail === null ? null : createSmtpMailer(mail),
    provider: provider === null ? null : openProvider(provider),
  }
}
