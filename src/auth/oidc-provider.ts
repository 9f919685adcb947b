import type * as OpenId from 'openid-client'
import { AppError } from '../errors/app-error.ts'
import type { Identity, Provider } from './auth-services.ts'

export type ProviderSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** On the button. */ readonly name: string
}

type Connected = { readonly library: typeof OpenId; readonly configuration: OpenId.Configuration }

const LONGEST_ANSWER_SECONDS = 10

/** What providers say when the person, and not one of us, ended it. */
const NOT_WANTED = new Set([
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
 * A provider by OpenID Connect: authorization code with PKCE, state and nonce. It is asked about itself when the first
 * person wants to sign in by it. The operator's own setting names it, so it is reached directly, as the addresses of
 * UPSTREAM_<LABEL>_URL are, and may stand in a private network.
 */
export function openProvider(
  settings: ProviderSettings,
  longestAnswerSeconds = LONGEST_ANSWER_SECONDS,
): Provider {
  const { name } = settings
  let connecting: Promise<Connected> | null = null

  async function ask<T>(question: (connected: Connected) => Promise<T>): Promise<T> {
    connecting ??= discover(settings, longestAnswerSeconds).catch((error: unknown) => {
      connecting = null
      throw error
    })
    try {
      return await question(await connecting)
    } catch (error) {
      throw failureOf(error, name)
    }
  }

  return {
    name,
    begin: (redirectUrl) =>
      ask(async ({ library, configuration }) => {
        const kept = {
          state: library.randomState(),
          nonce: library.randomNonce(),
          codeVerifier: library.randomPKCECodeVerifier(),
          redirectUrl,
        }
        const url = library.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUrl,
          scope: 'openid email',
          state: kept.state,
          nonce: kept.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(kept.codeVerifier),
          code_challenge_method: 'S256',
        })
        return { url: url.href, kept }
      }),
    finish: (url, kept) =>
      ask(async (connected) => {
        const checks = {
          expectedState: kept.state,
          expectedNonce: kept.nonce,
          pkceCodeVerifier: kept.codeVerifier,
          idTokenExpected: true,
        }
        return identityOf(
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
    authenticationOf(library, clientSecret),
    { execute, timeout },
  )
  const {
    authorization_endpoint: people,
    token_endpoint: codes,
    jwks_uri: keys,
  } = configuration.serverMetadata()
  // What is wrong with it now may be right when the next person asks.
  if ([people, codes, keys].includes(undefined))
    throw new RangeError('the provider does not name all of its addresses')
  return { library, configuration }
}

/** The secret goes in the way that the provider takes it: in a header unless it wants it in the body. */
function authenticationOf(library: typeof OpenId, clientSecret: string): OpenId.ClientAuth {
  const [inBody, inHeader] = [
    library.ClientSecretPost(clientSecret),
    library.ClientSecretBasic(clientSecret),
  ]
  return (server, client, body, headers) => {
    const ways = server.token_endpoint_auth_methods_supported ?? []
    const send =
      ways.includes('client_secret_post') && !ways.includes('client_secret_basic')
        ? inBody
        : inHeader
    return send(server, client, body, headers)
  }
}

type Answer = Awaited<ReturnType<typeof OpenId.authorizationCodeGrant>>

async function identityOf(
  { library, configuration }: Connected,
  answer: Answer,
): Promise<Identity> {
  const claims = answer.claims()
  if (claims === undefined || !SUBJECT.test(claims.sub))
    throw new RangeError('the id_token names no subject')
  const canBeAsked = configuration.serverMetadata().userinfo_endpoint !== undefined
  const told: Readonly<Record<string, unknown>> =
    claims['email'] === undefined && canBeAsked
      ? await library.fetchUserInfo(configuration, answer.access_token, claims.sub)
      : claims
  const { email, email_verified: verified } = told
  // Some providers write it as a text.
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof email === 'string' ? email : null,
    isEmailVerified: verified === true || verified === 'true',
  }
}

/** In words for people; what exactly was wrong is for the log. The library's errors hold codes and tokens, so they are not handed on. */
function failureOf(error: unknown, name: string): AppError {
  const reason = reasonOf(error)
  if (NOT_WANTED.has(reason))
    return new AppError('sign_in_refused', `You were not signed in at ${name}.`, {
      fix: 'Try again, or sign in another way.',
    })
  if (reason === 'invalid_grant')
    return new AppError('sign_in_refused', `${name} says that this sign-in is over.`, {
      fix: 'Begin again.',
    })
  const isAway = AWAY.has(reason) || error instanceof TypeError
  const message = isAway
    ? `${name} cannot be asked at the moment, so nobody was signed in.`
    : `What ${name} answered cannot be relied upon, so nobody was signed in.`
  const details = {
    upstream: {
      service: 'sign-in',
      status: null,
      code: reason.slice(0, 100),
      message: (error as Error).message.slice(0, 200),
    },
  }
  return new AppError('upstream_error', message, {
    fix: 'Try again in a while, or sign in another way; if it stays so, tell the operator of this gateway.',
    details,
  })
}

/** The error that the provider named, or else the code of the library or of the connection. */
function reasonOf(error: unknown): string {
  const {
    error: named,
    code,
    cause,
  } = error as { error?: unknown; code?: unknown; cause?: { code?: unknown } }
  return [named, code, cause?.code].find((reason) => typeof reason === 'string') ?? 'unknown'
}
