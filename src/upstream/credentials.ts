/** Adds the operator's credentials to requests and removes them from responses. */
import type { Auth } from '../catalog/vocabulary/wire.ts'
import { hidden } from './scrub.ts'
import type { Target } from './target.ts'

type Credentials = Target['credentials']

// Shorter credentials may occur in responses by chance.
const SHORTEST_HIDDEN = 8
const MOST_FORMER = 64
/** Replaced and removed credentials, the latest last. Answers to requests in progress may quote them. */
const former: string[] = []

/** Removes a replaced credential from responses, too. */
export function hideFormer(secret: string): void {
  if (secret.length < SHORTEST_HIDDEN || former.includes(secret)) return
  former.push(secret)
  if (former.length > MOST_FORMER) former.shift()
}

export function formerCredentials(): readonly string[] {
  return former
}

/** Reports whether a credential is sent: an optional one that the operator did not set is not. */
export function isSent(
  { optional, credential }: { readonly optional?: true; readonly credential: string },
  credentials: Credentials,
): boolean {
  return optional !== true || credentials[credential] !== undefined
}

export function addCredentials(
  headers: Record<string, string>,
  auth: Auth,
  credentials: Credentials,
): void {
  if (auth.in === 'header' && isSent(auth, credentials))
    headers[auth.name] = `${auth.prefix ?? ''}${credentials[auth.credential] ?? ''}`
  if (auth.in === 'headers')
    for (const [name, credential] of Object.entries({ ...auth.headers, ...auth.also }))
      if (credentials[credential] !== undefined) headers[name] = credentials[credential]
  if (auth.in === 'basic') headers['authorization'] = `Basic ${userAndPassword(auth, credentials)}`
}

/**
 * Removes the operator's credentials from a response: some vendors quote them with a URL or a
 * header.
 */
export function withoutCredentials(
  text: string,
  { vendor: { auth }, credentials, isSimulated }: Target,
): string {
  if (isSimulated === true) return text
  const sent = credentialsSent(auth, credentials).reduce(
    (shown, secret) => (secret.length < SHORTEST_HIDDEN ? shown : hidden(shown, secret)),
    text,
  )
  return former.length === 0 ? sent : former.reduce(hidden, sent)
}

/** The secret values sent with a request. A user name alone is not secret. */
export function credentialsSent(auth: Auth, credentials: Credentials): readonly string[] {
  switch (auth.in) {
    case 'none':
      return []
    case 'basic':
      return [credentials[auth.password] ?? '', userAndPassword(auth, credentials)]
    case 'headers':
      return Object.values({ ...auth.headers, ...auth.also }).map(
        (credential) => credentials[credential] ?? '',
      )
    default:
      return [credentials[auth.credential] ?? '']
  }
}

function userAndPassword(
  { user, password }: { readonly user: string; readonly password: string },
  credentials: Credentials,
): string {
  return Buffer.from(`${credentials[user] ?? ''}:${credentials[password] ?? ''}`).toString('base64')
}
