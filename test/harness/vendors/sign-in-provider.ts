/** An OpenID Connect provider that signs in everyone immediately, and misbehaves as the test chooses. */
import { createHmac, generateKeyPairSync, hash, sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUp } from '../clean-up.ts'

export const CLIENT = { clientId: 'tollgate', clientSecret: 'a secret / of the client' } as const

export type Person = {
  readonly subject: string
  readonly email?: string
  readonly email_verified?: boolean | string
}

/** The provider's deviations from the protocol. An empty object is an honest provider. */
export type Lies = {
  /** Claims of the id_token that replace the true ones. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** The signature of the id_token. */
  readonly signing?: 'none' | 'other key' | 'no key' | 'by the secret'
  /** An error instead of a code. */
  readonly error?: string
  /** Parameters of the redirect that replace the true ones. */
  readonly back?: Readonly<Record<string, string>>
  /** Endpoints that answer 500, never, or nonsense. */
  readonly broken?: Readonly<Record<string, 'fails' | 'hangs' | 'babbles'>>
  readonly document?: Readonly<Record<string, unknown>>
  readonly withoutIdToken?: boolean
  /** Claims of userinfo that replace the true ones. */
  readonly userinfo?: Readonly<Record<string, unknown>>
}

export type SignInProvider = {
  readonly issuer: string
  /** Sets the person at the browser. */
  person: Person
  lies: Lies
  /** Whether only userinfo contains the email address. */
  tellsByUserinfo: boolean
  /** Origins of intermediate redirects. */
  through: string | null
  /** The paths of the requests so far. */
  readonly asked: string[]
  /** Follows the sign-in at `url` and returns the redirect of the browser. */
  follow(url: string): Promise<string>
}

type Grant = {
  readonly person: Person
  readonly nonce: string
  readonly challenge: string
  readonly redirectUrl: string
}

const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })

export async function startSignInProvider(path = ''): Promise<SignInProvider> {
  const grants = new Map<string, Grant>()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  const provider: SignInProvider = {
    issuer: `${base}${path}`,
    person: { subject: 'nobody' },
    lies: {},
    tellsByUserinfo: false,
    through: null,
    asked: [],
    async follow(url) {
      const { headers } = await fetch(url, { redirect: 'manual' })
      return headers.get('location') ?? ''
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', base)
    const route = url.pathname.split('/').at(-1) ?? ''
    provider.asked.push(url.pathname)
    const trouble = provider.lies.broken?.[route]
    if (trouble === 'hangs') return
    if (trouble === 'fails')
      return void response
        .writeHead(500, { 'content-type': 'application/json' })
        .end('{"error":"server_error"}')
    if (trouble === 'babbles')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>')
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    if (route === 'openid-configuration') return json(response, document())
    if (route === 'authorize') return authorize(url.searchParams, response)
    if (route === 'onward')
      return void response.writeHead(302, { location: url.searchParams.get('to') ?? '' }).end()
    if (route === 'token')
      return token(request, new URLSearchParams(Buffer.concat(chunks).toString()), response)
    if (route === 'jwks')
      return json(response, {
        keys: [
          { ...own.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' },
        ],
      })
    if (route === 'userinfo')
      return json(response, {
        sub: provider.person.subject,
        ...emailOf(provider.person),
        ...provider.lies.userinfo,
      })
    response.writeHead(404).end()
  }

  function document() {
    return {
      issuer: provider.issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      jwks_uri: `${base}/jwks`,
      userinfo_endpoint: `${base}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...provider.lies.document,
    }
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const of = (name: string): string => query.get(name) ?? ''
    if (
      of('client_id') !== CLIENT.clientId ||
      of('response_type') !== 'code' ||
      of('code_challenge_method') !== 'S256'
    )
      return void response.writeHead(400).end()
    const code = `code-${grants.size}`
    grants.set(code, {
      person: provider.person,
      nonce: of('nonce'),
      challenge: of('code_challenge'),
      redirectUrl: of('redirect_uri'),
    })
    const { error, back } = provider.lies
    const parameters = {
      state: of('state'),
      ...(error === undefined
        ? { code }
        : { error, error_description: '<b>told by the provider</b>' }),
      ...back,
    }
    const target = `${of('redirect_uri')}?${new URLSearchParams(parameters).toString()}`
    response
      .writeHead(302, {
        location:
          provider.through === null
            ? target
            : `${provider.through}/onward?${new URLSearchParams({ to: target }).toString()}`,
      })
      .end()
  }

  function token(
    { headers }: IncomingMessage,
    form: URLSearchParams,
    response: ServerResponse,
  ): void {
    // RFC 6749, section 2.3.1: both parts are encoded as in a form.
    const [id = '', secret = ''] = Buffer.from(
      String(headers.authorization).replace('Basic ', ''),
      'base64',
    )
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    const isClient =
      [id, form.get('client_id')].includes(CLIENT.clientId) &&
      [secret, form.get('client_secret')].includes(CLIENT.clientSecret)
    if (!isClient) return json(response, { error: 'invalid_client' }, 401)
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    if (
      grant === undefined ||
      grant.redirectUrl !== form.get('redirect_uri') ||
      hash('sha256', form.get('code_verifier') ?? '', 'base64url') !== grant.challenge
    )
      return json(response, { error: 'invalid_grant' }, 400)
    json(response, {
      access_token: 'an access token',
      token_type: 'Bearer',
      expires_in: 60,
      ...(provider.lies.withoutIdToken === true ? {} : { id_token: idToken(grant) }),
    })
  }

  function idToken({ person, nonce }: Grant): string {
    const seconds = Math.floor(Date.now() / 1000)
    const claims = {
      iss: provider.issuer,
      aud: CLIENT.clientId,
      sub: person.subject,
      nonce,
      iat: seconds,
      exp: seconds + 300,
      ...(provider.tellsByUserinfo ? {} : emailOf(person)),
      ...provider.lies.claims,
    }
    return signed(claims, provider.lies.signing)
  }
  return provider
}

function emailOf({ subject: _subject, ...email }: Person): Omit<Person, 'subject'> {
  return email
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body))
}

function signed(claims: unknown, signing: Lies['signing']): string {
  const header = {
    typ: 'JWT',
    kid: 'own',
    alg: signing === 'none' ? 'none' : signing === 'by the secret' ? 'HS256' : 'RS256',
  }
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  if (signing === 'none' || signing === 'no key') return `${text}.`
  if (signing === 'by the secret')
    return `${text}.${createHmac('sha256', CLIENT.clientSecret).update(text).digest('base64url')}`
  const key: KeyObject = signing === 'other key' ? other.privateKey : own.privateKey
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}
