import { openProvider } from '../../../auth/oidc-provider.ts'
import { CALLBACK_PATH } from '../../../auth/round-trip.ts'
import type { Config } from '../../../app/settings/config.ts'
import { broken, missing, ok, type Check } from './check.ts'

const LONGEST_ANSWER_SECONDS = 5

/** Checks that the sign-in provider responds. Only a sign-in shows whether it accepts this gateway's credentials. */
export async function checkProvider({
  people,
  publicUrl,
}: Pick<Config, 'people' | 'publicUrl'>): Promise<Check> {
  const name = 'sign-in provider'
  const { provider, signUp } = people
  if (provider === null)
    return missing(
      name,
      'not set up: people sign in with passwords and passkeys only',
      'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    )
  const redirectUrl = `${publicUrl}${CALLBACK_PATH}`
  try {
    await openProvider(provider, LONGEST_ANSWER_SECONDS).begin(redirectUrl)
  } catch {
    return broken(
      name,
      `${provider.issuer} does not respond as an OpenID provider with this issuer`,
      `Compare OIDC_ISSUER, to the last slash, with "issuer" in ${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration.`,
    )
  }
  return ok(
    name,
    `${provider.name}, where ${redirectUrl} must be registered; ${signUp ? 'its users can create accounts' : 'it signs in existing holders of accounts'}`,
  )
}
