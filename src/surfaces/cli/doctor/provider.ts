import { openProvider } from '../../../auth/oidc-provider.ts'
import { WAY_BACK } from '../../../auth/round-trip.ts'
import type { Config } from '../../../app/settings/config.ts'
import { broken, missing, ok, type Check } from './check.ts'

const LONGEST_ANSWER_SECONDS = 5

/** Whether people can sign in by a provider, and whether it answers. What it knows of this gateway shows when somebody signs in. */
export async function checkProvider({
  people,
  publicUrl,
}: Pick<Config, 'people' | 'publicUrl'>): Promise<Check> {
  const name = 'sign-in provider'
  const { provider, signUp } = people
  if (provider === null)
    return missing(
      name,
      'not set up: people sign in by passwords and passkeys alone',
      'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    )
  const wayBack = `${publicUrl}${WAY_BACK}`
  try {
    await openProvider(provider, LONGEST_ANSWER_SECONDS).begin(wayBack)
  } catch {
    return broken(
      name,
      `${provider.issuer} does not answer as a provider of that name should`,
      `Compare OIDC_ISSUER, to the last slash, with "issuer" in ${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration.`,
    )
  }
  return ok(
    name,
    `${provider.name}, which must know ${wayBack}; ${signUp ? 'whoever it vouches for gets an account' : 'it lets holders of accounts in'}`,
  )
}
