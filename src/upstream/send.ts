import { mapStatusToCode } from '../catalog/answers/vendor-failure.ts'
import { setTimeout as pause } from 'node:timers/promises'
import {
  noAuth,
  SIMULATED_ACCOUNT,
  type Reply,
  type Vendor,
  type VendorFailure,
  type WireRequest,
} from '../catalog/vocabulary/wire.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import { errorCatalog } from '../errors/catalog.ts'
import type { Clock } from '../lib/clock.ts'
import type { Deadline } from '../lib/deadline.ts'
import { AnswerTooLarge, exchange, type Incoming, type Limits, type Outgoing } from './exchange.ts'
import { addCredentials, credentialsSent, isSent, withoutCredentials } from './credentials.ts'
import { exchangeFollowing } from './follow-redirects.ts'
import { failureOfTransport } from './failure.ts'
import type { Dispatches } from './http1/plain-dispatcher.ts'
import type { Gate } from './limits/gate.ts'
import { heldBack } from './limits/held-back.ts'
import { retryAfterMs, secondsToWait } from './limits/retry-after.ts'
import { scrub } from './scrub.ts'

/** Where a request goes and what opens the door there. */
export type Target = {
  readonly service: string
  readonly vendor: Vendor
  /** Scheme, host and port of the base address. */
  readonly origin: string
  /** Path of the base address, without a trailing slash; often empty. */
  readonly basePath: string
  /** Further hosts of the vendor by name. */
  readonly origins?: Readonly<Record<string, Pick<Target, 'origin' | 'basePath'>>>
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Credentials by name: KEY and whatever else the vendor asks for. */
  readonly credentials: Readonly<Record<string, string>>
  /** It is told whose request it gets: what a simulated vendor remembers for one account is no other's. */
  readonly isSimulated?: true
  readonly dispatcher: Dispatches
  /** Gets an answer in place of a plain exchange, for a merchant that wants to be paid. */
  readonly exchange?: (outgoing: Outgoing, limits: Limits) => Promise<Incoming>
  /** Keeps what the vendor asks of those who use it; simulations have none. */
  readonly gate?: Gate
}

export type SendOptions = {
  readonly deadline: Deadline
  /** The request's own id at the vendor, sent as `idempotency-key`. A vendor that supports it executes a repeated request once. */
  readonly vendorKey: string
  /** Accounts take turns where calls have to wait. */
  readonly accountId?: string
  readonly now: Clock
  /** Called as late as possible before the request goes out: once for each time that it is sent. Without its success nothing is sent. */
  readonly beforeBytes?: () => Promise<unknown>
}

export type UpstreamFailure = {
  readonly code: VendorFailure['code']
  readonly message: string
  readonly details: {
    readonly upstream: {
      service: string
      status: number | null
      code: string | null
      message: string | null
    }
  }
  readonly fix?: string
  readonly retryAfterSeconds?: number
}

export type Refused = {
  readonly ok: false
  readonly failure: UpstreamFailure
  /** The vendor asked to be left alone for so long. */ readonly waitMs?: number
}
export type Sent = { readonly ok: true; readonly reply: Reply } | Refused

/** Larger answers are an upstream failure: memory is bounded by calls in flight times this. */
export const MAX_REPLY_BYTES = 20 * 1024 * 1024

/** Splits a vendor's base address once, so that no call parses it again. */
export function splitBaseUrl(baseUrl: string): Pick<Target, 'origin' | 'basePath'> {
  const { origin, pathname } = new URL(baseUrl)
  return { origin, basePath: pathname.replace(/\/+$/, '') }
}

/** The only place that sends requests to vendors. Never throws: whatever goes wrong is a failure with a code. */
export function send(target: Target, wire: WireRequest, options: SendOptions): Promise<Sent> {
  const sender = senderOf(target, wire)
  if (wire.afterMs !== undefined) return sendLater(sender, wire, wire.afterMs, options)
  return wire.retry === undefined
    ? sendInTurn(sender, wire, options)
    : sendAgain(sender, wire, wire.retry, options)
}

async function sendLater(
  sender: Target,
  wire: WireRequest,
  afterMs: number,
  options: SendOptions,
): Promise<Sent> {
  await wait(afterMs, options)
  return sendAgain(sender, wire, wire.retry ?? { times: 0, afterMs: 0 }, options)
}

/** Until then, or until the deadline. */
async function wait(ms: number, { deadline }: SendOptions): Promise<void> {
  await pause(ms, undefined, { signal: deadline.signal }).catch(() => undefined)
}

export function senderOf(target: Target, { anonymous }: WireRequest): Target {
  return anonymous === true ? { ...target, vendor: { ...target.vendor, auth: noAuth } } : target
}

/** For those who want it thrown. */
export function errorOf({ code, message, details, retryAfterSeconds }: UpstreamFailure): AppError {
  return new AppError(code, message, { details, retryAfterSeconds })
}

async function sendAgain(
  sender: Target,
  wire: WireRequest,
  { times, afterMs }: NonNullable<WireRequest['retry']>,
  options: SendOptions,
): Promise<Sent> {
  let sent = await sendInTurn(sender, wire, options)
  for (let turn = 0; turn < times && mayPass(sent) && !options.deadline.isOver; turn += 1) {
    await wait(afterMs, options)
    if (!options.deadline.isOver) sent = await sendInTurn(sender, wire, options)
  }
  return sent
}

/** A server error or a lost connection, as against a refusal, which would be the same the next time. */
function mayPass(sent: Sent): boolean {
  if (sent.ok || sent.failure.code !== 'upstream_error') return false
  const { status } = sent.failure.details.upstream
  return status === null || status >= 500
}

function sendInTurn(target: Target, wire: WireRequest, options: SendOptions): Promise<Sent> {
  return target.gate === undefined
    ? sendOnce(target, wire, options)
    : sendThrough(target.gate, target, wire, options)
}

async function sendThrough(
  gate: Gate,
  target: Target,
  wire: WireRequest,
  options: SendOptions,
): Promise<Sent> {
  const entered = gate.enter(options, wire.origin)
  const turn = entered instanceof Promise ? await entered : entered
  if (turn.refusal !== null) return { ok: false, failure: heldBack(target.service, turn.refusal) }
  const sent = await sendOnce(target, wire, options)
  gate.left(turn, sent, { ...options, takesAnyTime: wire.runsProgram }, wire.origin)
  return sent
}

async function sendOnce(target: Target, wire: WireRequest, options: SendOptions): Promise<Sent> {
  try {
    const outgoing = {
      origin: placeOf(target, wire).origin,
      path: pathOf(target, wire),
      method: wire.method,
      headers: headersOf(target, wire, options),
      body: bodyOf(target, wire),
    }
    const limits = {
      deadline: options.deadline,
      maxBytes: MAX_REPLY_BYTES,
      page: wire.page === true,
      binary: wire.binary === true,
      ...(options.beforeBytes === undefined ? {} : { beforeBytes: options.beforeBytes }),
    }
    const {
      status,
      headers,
      text: said,
      path,
      isPacked,
    } = wire.followsRedirects !== undefined
      ? await exchangeFollowing(
          target.dispatcher,
          outgoing,
          limits,
          wire.followsRedirects === 'anywhere' && target.vendor.auth.in === 'none',
        )
      : { ...(await ask(target, outgoing, limits)), path: undefined }
    const text = withoutCredentials(said, target)
    // Nobody asked for a part of anything.
    const isAnswer =
      (status >= 200 && status < 300 && status !== 206) ||
      wire.acceptedStatuses?.includes(status) === true
    if (isAnswer && isPacked === true) throw new AppError('upstream_error')
    const reply: Reply = {
      status,
      headers,
      body: isAnswer && (limits.page || limits.binary) ? text : parseBody(text),
      ...(path === undefined ? {} : { path }),
    }
    return isAnswer ? { ok: true, reply } : refused(target, reply, options.now())
  } catch (error) {
    return { ok: false, failure: lost(target, error) }
  }
}

function ask(
  { exchange: paid, dispatcher }: Target,
  outgoing: Outgoing,
  limits: Limits,
): Promise<Incoming> {
  return paid === undefined ? exchange(dispatcher, outgoing, limits) : paid(outgoing, limits)
}

export function placeOf(
  target: Target,
  { origin }: WireRequest,
): Pick<Target, 'origin' | 'basePath'> {
  const place = origin === undefined ? target : target.origins?.[origin]
  invariant(place !== undefined, `${target.service} has an origin named ${origin}`)
  return place
}

export function pathOf(target: Target, wire: WireRequest): string {
  const { vendor, credentials } = target
  const { path, query } = wire
  const { basePath } = placeOf(target, wire)
  if (query === undefined && vendor.auth.in !== 'query') return `${basePath}${path}`
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (Array.isArray(value))
      for (const item of value as readonly (string | number)[])
        parameters.append(name, String(item))
    else if (value !== undefined) parameters.append(name, String(value))
  }
  if (vendor.auth.in === 'query' && isSent(vendor.auth, credentials))
    parameters.append(vendor.auth.name, credentials[vendor.auth.credential] ?? '')
  const text = parameters.toString()
  return `${basePath}${path}${text === '' ? '' : `${path.includes('?') ? '&' : '?'}${text}`}`
}

function bodyOf(
  { vendor: { auth, accountFields }, credentials }: Target,
  { json, form }: WireRequest,
): string | null {
  if (form !== undefined) return new URLSearchParams(form).toString()
  if (json === undefined) return null
  if (auth.in !== 'body' && accountFields === undefined) return JSON.stringify(json)
  const fields = Object.entries(accountFields ?? {}).map(([name, { setting, fallback }]) => [
    name,
    credentials[setting] ?? fallback,
  ])
  return JSON.stringify({
    ...(json as object),
    ...Object.fromEntries(fields),
    ...(auth.in === 'body' ? { [auth.name]: credentials[auth.credential] ?? '' } : {}),
  })
}

export function headersOf(
  { vendor, credentials, headers: fixed, isSimulated }: Target,
  wire: WireRequest,
  { vendorKey, accountId }: SendOptions,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'idempotency-key': vendorKey,
    ...fixed,
    ...wire.headers,
  }
  if (wire.json !== undefined) headers['content-type'] = 'application/json'
  if (wire.form !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded'
  if (isSimulated === true && accountId !== undefined) headers[SIMULATED_ACCOUNT] = accountId
  addCredentials(headers, vendor.auth, credentials)
  return headers
}

export function parseBody(text: string): unknown {
  const first = text.trimStart().charAt(0)
  if (first !== '{' && first !== '[') return text
  const parsed = parseJson(text)
  if (parsed !== undefined) return parsed
  // Some vendors leave raw control characters in their strings; between tokens such a character is white space anyway. So is a byte order mark.
  return parseJson(text.trimStart().replaceAll(CONTROL_CHARACTERS, ' ')) ?? text
}

const CONTROL_CHARACTERS = /\p{Cc}/gu

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** What an answer that is none of those asked for means. */
export function refused(target: Target, reply: Reply, nowMs: number): Refused {
  const waitMs = retryAfterMs(reply.headers, nowMs)
  const failure = failureOf(target, reply, waitMs)
  // What the record knows to be a target's own answer, handed on, asks nothing of those who use the vendor.
  const isPause =
    failure.code === 'upstream_busy' || (reply.status === 503 && failure.code !== 'no_results')
  return waitMs === undefined || !isPause ? { ok: false, failure } : { ok: false, failure, waitMs }
}

function failureOf(target: Target, reply: Reply, waitMs: number | undefined): UpstreamFailure {
  const read = target.vendor.readFailure?.(reply)
  const code = read?.code ?? mapStatusToCode(reply.status)
  const retryAfterSeconds = secondsToWait(code, waitMs)
  return {
    code,
    message: sentence(code, target.service),
    details: {
      upstream: {
        service: target.service,
        status: reply.status,
        code: clean(read?.vendorCode, target),
        message: clean(read?.message, target),
      },
    },
    ...(read?.fix === undefined ? {} : { fix: read.fix }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

export function lost(target: Target, error: unknown): UpstreamFailure {
  const code =
    error instanceof AppError && error.code !== 'bad_url' ? error.code : failureOfTransport(error)
  const [message, status] =
    error instanceof AnswerTooLarge
      ? [error.message, error.status]
      : [sentence(code, target.service), null]
  return {
    code,
    message,
    details: { upstream: { service: target.service, status, code: null, message: null } },
  }
}

function clean(
  text: string | undefined,
  { vendor: { auth }, credentials, origin, basePath, isSimulated }: Target,
): string | null {
  // What opens a simulation is a word of its answers, and no secret.
  const secrets =
    isSimulated === true
      ? []
      : [...Object.values(credentials), ...credentialsSent(auth, credentials)]
  return text === undefined
    ? null
    : scrub(text, [...secrets, `${origin}${basePath}`, origin, new URL(origin).host])
}

function sentence(code: VendorFailure['code'], service: string): string {
  switch (code) {
    case 'upstream_timeout':
      return `The service behind "${service}" did not answer in time. Nothing was charged.`
    case 'upstream_busy':
      return `The service behind "${service}" is at its limit. Nothing was charged.`
    case 'no_results':
      return `The service behind "${service}" could not get what was asked for. Nothing was charged.`
    case 'upstream_rejected':
      return `The service behind "${service}" refused these parameters. Nothing was charged.`
    case 'upstream_not_found':
      return `The service behind "${service}" does not know that item. Nothing was charged.`
    case 'upstream_conflict':
      return `The service behind "${service}" is busy with another call of this gateway. Nothing was charged.`
    case 'upstream_not_configured':
      return `The service behind "${service}" does not accept this gateway's credentials. Nothing was charged.`
    case 'upstream_payment':
      return `The service behind "${service}" wants payment from the operator of this gateway. Nothing was charged.`
    case 'upstream_error':
      return `The service behind "${service}" failed. Nothing was charged.`
    default:
      return `${errorCatalog[code].title}. Nothing was charged.`
  }
}
