/** A gateway with a signed-in account holder, and the requests of a client that connects. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed, type AppBed } from '../../../../../../test/harness/beds/app.ts'
import { openOwnerSession } from '../../../../../../test/harness/owner-session.ts'
import { formIn, sendForm, type Fields } from '../../../../../../test/harness/clients/forms.ts'
import type { TokenAnswer } from '../../../../../auth/oauth/token-answer.ts'
import type { Caller } from '../../../../../keys/caller.ts'
import { findCaller } from '../../../../../keys/find-caller.ts'
import { hashSecret } from '../../../../../keys/format.ts'
import { newToken } from '../../../../../lib/token.ts'

export const ISSUER = 'https://gate.example'
export const RESOURCE = `${ISSUER}/mcp`
export const REDIRECT = 'https://app.example/callback'
export const VERIFIER = 'v'.repeat(64)
export const CHALLENGE = hash('sha256', VERIFIER, 'base64url')

const CONSENT: Fields = { decision: 'allow', amount: '5', period: 'day', days: '30', allow: '' }

export type ToolResult = { readonly isError?: boolean; readonly content: { text: string }[] }

export type OAuthBed = AppBed & {
  readonly caller: Caller
  /** The cookie of the holder's browser. */
  readonly cookie: string
  cookieOf(caller: Caller): Promise<string>
  callerOf(secret: string): Promise<Caller | null>
  /** Registers a client and returns its id. */
  register(metadata?: Readonly<Record<string, unknown>>): Promise<string>
  authorize(
    query: Readonly<Record<string, string | undefined>>,
    cookie?: string,
  ): Promise<LightMyRequestResponse>
  /** Fills in the form of a consent page. */
  consent(
    page: LightMyRequestResponse,
    fields?: Fields,
    cookie?: string,
  ): Promise<LightMyRequestResponse>
  /** Authorizes and consents. Returns the code. */
  codeFor(
    clientId: string,
    query?: Readonly<Record<string, string | undefined>>,
    fields?: Fields,
  ): Promise<string>
  token(fields: Readonly<Record<string, string | undefined>>): Promise<LightMyRequestResponse>
  exchange(
    clientId: string,
    code: string,
    changes?: Readonly<Record<string, string | undefined>>,
  ): Promise<LightMyRequestResponse>
  refresh(clientId: string, refreshToken: string): Promise<LightMyRequestResponse>
  /** Connects a new client and returns its tokens. */
  connect(fields?: Fields): Promise<TokenAnswer & { readonly clientId: string }>
  /** The status of a list of tools with this token at /mcp. */
  mcpStatus(token: string): Promise<number>
  /** Calls a tool with this token at /mcp. */
  callTool(token: string, name: string, args: object): Promise<ToolResult>
}

/** Call it at the top level of a test file. */
export async function openOAuthBed(
  options: Parameters<typeof openAppBed>[0] = {},
): Promise<OAuthBed> {
  const bed = await openAppBed(options)
  const { app, database, clock } = bed
  const callerOf = async (secret: string): Promise<Caller | null> =>
    (await findCaller(database, hashSecret(secret), clock()))?.caller ?? null
  const caller = (await callerOf(bed.liveKey)) ?? assert.fail('no caller')
  const cookieOf = async ({ accountId }: Caller): Promise<string> =>
    `__Host-tollgate-page=${await openOwnerSession({ database, now: clock }, accountId)}`
  const cookie = await cookieOf(caller)

  const register: OAuthBed['register'] = async (metadata = {}) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/oauth/register',
      payload: { client_name: 'Reader', redirect_uris: [REDIRECT], ...metadata },
    })
    assert.equal(reply.statusCode, 201, reply.body)
    return reply.json<{ client_id: string }>().client_id
  }
  const authorize: OAuthBed['authorize'] = (query, of = cookie) =>
    app.inject({ url: `/oauth/authorize?${encode(query)}`, headers: { cookie: of } })
  const consent: OAuthBed['consent'] = (page, fields = {}, of = cookie) => {
    const { action, hidden } = formIn(page, /\/oauth\/consent/)
    return sendForm(app, {
      url: action,
      fields: { ...hidden, ...CONSENT, ...fields },
      headers: { cookie: of },
    })
  }
  const codeFor: OAuthBed['codeFor'] = async (clientId, query = {}, fields = {}) => {
    const page = await authorize({ ...requestOf(clientId), ...query })
    assert.equal(page.statusCode, 200, page.body)
    const back = await consent(page, fields)
    assert.equal(back.statusCode, 303, back.body)
    return locationOf(back).searchParams.get('code') ?? assert.fail(String(back.headers.location))
  }
  const token: OAuthBed['token'] = (fields) =>
    app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: encode(fields),
    })
  const exchange: OAuthBed['exchange'] = (clientId, code, changes = {}) =>
    token({
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      resource: RESOURCE,
      ...changes,
    })
  return {
    ...bed,
    caller,
    cookie,
    cookieOf,
    callerOf,
    register,
    authorize,
    consent,
    codeFor,
    token,
    exchange,
    refresh: (clientId, refreshToken) =>
      token({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId }),
    async connect(fields = {}) {
      const clientId = await register()
      const reply = await exchange(clientId, await codeFor(clientId, {}, fields))
      assert.equal(reply.statusCode, 200, reply.body)
      return { ...reply.json<TokenAnswer>(), clientId }
    },
    async mcpStatus(secret) {
      const reply = await bed.post('/mcp', { ...MESSAGE, method: 'tools/list' }, mcpHeaders(secret))
      return reply.statusCode
    },
    async callTool(secret, name, args) {
      const reply = await bed.post(
        '/mcp',
        { ...MESSAGE, method: 'tools/call', params: { name, arguments: args } },
        mcpHeaders(secret),
      )
      return reply.json<{ result: ToolResult }>().result
    },
  }
}

const MESSAGE = { jsonrpc: '2.0', id: 1 }

function mcpHeaders(secret: string): Record<string, string> {
  return { host: 'gate.example', authorization: `Bearer ${secret}`, accept: 'application/json' }
}

/** The valid query of an authorization request. */
export function requestOf(clientId: string): Record<string, string> {
  return {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: newToken(),
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    scope: 'actions',
    resource: RESOURCE,
  }
}

export function locationOf(reply: LightMyRequestResponse): URL {
  return new URL(String(reply.headers.location))
}

/** Omits undefined fields. */
function encode(fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).filter(
    (field): field is [string, string] => field[1] !== undefined,
  )
  return new URLSearchParams(given).toString()
}
