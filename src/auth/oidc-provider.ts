import type * as OpenId from 'openid-client'
import { AppError } from '../errors/app-error.ts'
import type { Identity, Provider } from './auth-services.ts'

export type ProviderSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Shown on the button. */
  readonly name: string
}

type Connected = { readonly library: typeof OpenId; readonly configuration: OpenId.Configuration }

const TIMEOUT_SECONDS = 10

/** The providers' error codes when the person cancelled. */
const CANCELLED = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
])

const AWAY = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'server_error',
  'temporarily_unavailable',
])

// OpenID Connect Core 1.0, section 2.
const SUBJECT = /^[\x20-\x7e]{1,255}$/

/**
 * An OpenID Connect provider: authorization code with PKCE, state and nonce. Its metadata is read
 * with the first sign-in. The operator configures it, so requests skip the egress guard, as for
 * UPSTREAM_<LABEL>_URL, and it may be in a private network.
 */
export function openProvider(
  settings: ProviderSettings,
  timeoutSeconds = TIMEOUT_SECONDS,
): Provider {
  const { name } = settings
  let connecting: Promise<Connected> | null = null

  async function withProvider<T>(work: (connected: Connected) => Promise<T>): Promise<T> {
    connecting ??= discover(settings, timeoutSeconds).catch((error: unknown) => {
      connecting = null
      throw error
    })
    try {
      return await work(await connecting)
    } catch (error) {
      throw toSignInError(error, name)
    }
  }

  return {
    name,
    issuer: settings.issuer,
    begin: (redirectUrl) =>
      withProvider(async ({ library, configuration }) => {
        const roundTrip = {
          state: library.randomState(),
          nonce: library.randomNonce(),
          codeVerifier: library.randomPKCECodeVerifier(),
          redirectUrl,
        }
        const url = library.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUrl,
          scope: 'openid email',
          state: roundTrip.state,
          nonce: roundTrip.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(roundTrip.codeVerifier),
          code_challenge_method: 'S256',
        })
        return { url: url.href, roundTrip }
      }),
    finish: (url, roundTrip) =>
      withProvider(async (connected) => {
        const checks = {
          expectedState: roundTrip.state,
          expectedNonce: roundTrip.nonce,
          pkceCodeVerifier: roundTrip.codeVerifier,
          idTokenExpected: true,
        }
        return readIdentity(
          connected,
          await connected.library.authorizationCodeGrant(
            connected.configuration,
            new URL(url),
            checks,
          ),
        )
      }),
  }
}

async function discover(
  { issuer, clientId, clientSecret }: ProviderSettings,
  timeout: number,
): Promise<Connected> {
  const library = await import('openid-client')
  const server = new URL(issuer)
  const execute = [
    library.enableNonRepudiationChecks,
    ...(server.protocol === 'http:' ? [library.allowInsecureRequests] : []),
  ]
  const configuration = await library.discovery(
    server,
    clientId,
    undefined,
    chooseAuthentication(library, clientSecret),
    { execute, timeout },
  )
  const {
    authorization_endpoint: authorization,
    token_endpoint: token,
    jwks_uri: keys,
  } = configuration.serverMetadata()
  // The next sign-in reads the metadata again.
  if ([authorization, token, keys].includes(undefined))
    throw new RangeError('the metadata of the provider lacks an endpoint')
  return { library, configuration }
}

/** Sends the secret in a header, unless the provider only accepts it in the body. */
function chooseAuthentication(library: typeof OpenId, clientSecret: string): OpenId.ClientAuth {
  const [inBody, inHeader] = [
    library.ClientSecretPost(clientSecret),
    library.ClientSecretBasic(clientSecret),
  ]
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? []
    const send =
      methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
        ? inBody
        : inHeader
    return send(server, client, body, headers)
  }
}

type Grant = Awaited<ReturnType<typeof OpenId.authorizationCodeGrant>>

async function readIdentity(
  { library, configuration }: Connected,
  grant: Grant,
): Promise<Identity> {
  const claims = grant.claims()
  if (claims === undefined || !SUBJECT.test(claims.sub))
    throw new RangeError('the id_token has no subject')
  const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
  const facts: Readonly<Record<string, unknown>> =
    claims['email'] === undefined && hasUserInfo
      ? await library.fetchUserInfo(configuration, grant.access_token, claims.sub)
      : claims
  const { email, email_verified: verified } = facts
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof email === 'string' ? email : null,
    // Some providers send it as text.
    isEmailVerified: verified === true || verified === 'true',
  }
}

/**
 * An error for people, with the reason for the log. The library's errors contain codes and tokens,
 * so they are not its cause.
 */
function toSignInError(error: unknown, name: string): AppError {
  const reason = reasonOf(error)
  if (CANCELLED.has(reason))
    return new AppError('sign_in_refused', `You were not signed in at ${name}.`, {
      fix: 'Try again, or sign in another way.',
    })
  if (reason === 'invalid_grant')
    return new AppError('sign_in_refused', `This sign-in at ${name} has expired.`, {
      fix: 'Start again.',
    })
  const isAway = AWAY.has(reason) || error instanceof TypeError
  const message = isAway
    ? `${name} cannot be reached at the moment. You were not signed in.`
    : `${name} returned an invalid response. You were not signed in.`
  const details = {
    upstream: {
      service: 'sign-in',
      status: null,
      code: reason.slice(0, 100),
      message: (error as Error).message.slice(0, 200),
    },
  }
  return new AppError('upstream_error', message, {
    fix: 'Try again later, or sign in another way. If the problem persists, contact the operator of this gateway.',
    details,
  })
}

/** The provider's error code, else the code of the library or of the connection. */
function reasonOf(error: unknown): string {
  const {
    error: reported,
    code,
    cause,
  } = error as { error?: unknown; code?: unknown; cause?: { code?: unknown } }
  return [reported, code, cause?.code].find((reason) => typeof reason === 'string') ?? 'unknown'
}
