import { isUtf8 } from 'node:buffer'
import { isTextual } from '../catalog/vocabulary/wire.ts'
import { AppError } from '../errors/app-error.ts'
import { decodeHandedOn } from '../lib/charsets/charset.ts'
import type { Deadline } from '../lib/deadline.ts'
import { GatheredBytes } from '../lib/gathered-bytes.ts'
import { withSingleValues } from '../lib/http-fields.ts'
import type { Dispatches } from './http1/plain-dispatcher.ts'
import type { PlainRequest } from './http1/request-text.ts'
import { unpack } from './unpack.ts'

export type Outgoing = {
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string | null
}
export type Incoming = {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  /** The body is still compressed: it was truncated, or the encoding is unknown. */
  readonly isPacked?: true
}
/** `page` and `binary` as in WireRequest, `beforeBytes` as in SendOptions. */
export type Limits = {
  readonly deadline: Deadline
  readonly maxBytes: number
  readonly page?: boolean
  readonly binary?: boolean
  readonly beforeBytes?: (() => Promise<unknown>) | undefined
}

/** The vendor answered with `status`, but the response exceeds the size limit. */
export class ResponseTooLarge extends AppError {
  readonly status: number
  constructor(status: number, maxBytes: number) {
    super('upstream_error', `The vendor sent more than ${maxBytes} bytes. Nothing was charged.`)
    this.status = status
  }
}

/**
 * Sends one request and returns its whole response as text. Rejects with the network's error, or
 * AppError: `upstream_timeout` at the deadline, `upstream_error` if the response exceeds
 * `maxBytes`. Calls the dispatcher directly, because the stream that `request()` creates for each
 * response costs more than sending and parsing it.
 */
export function exchange(
  dispatcher: Dispatches,
  outgoing: Outgoing,
  limits: Limits,
): Promise<Incoming> {
  const { beforeBytes } = limits
  if (beforeBytes === undefined) return exchangeNow(dispatcher, outgoing, limits)
  if (dispatcher.callsBeforeBytes === true)
    return exchangeNow(dispatcher, { ...outgoing, beforeBytes }, limits)
  return beforeBytes().then(() => exchangeNow(dispatcher, outgoing, limits))
}

function exchangeNow(
  dispatcher: Dispatches,
  outgoing: PlainRequest,
  limits: Limits,
): Promise<Incoming> {
  const { deadline, maxBytes } = limits
  return new Promise((resolve, reject) => {
    let stop: (() => void) | undefined
    let status = 0
    let headers: Incoming['headers'] = {}
    const gathered = new GatheredBytes()
    const finish = (): void => {
      if (stop !== undefined) deadline.removeListener(stop)
    }
    dispatcher.dispatch(outgoing, {
      onRequestStart(controller) {
        stop = () => controller.abort(new AppError('upstream_timeout'))
        deadline.onExpire(stop)
      },
      onResponseStart(_controller, statusCode, responseHeaders) {
        status = statusCode
        headers = withSingleValues(responseHeaders)
      },
      onResponseData(controller, chunk) {
        if (gathered.size + chunk.length > maxBytes)
          controller.abort(new ResponseTooLarge(status, maxBytes))
        else gathered.add(chunk)
      },
      onResponseEnd() {
        finish()
        const body = gathered.bytes
        const incoming = { status, headers }
        if (body.length === 0) resolve({ ...incoming, text: '' })
        else if (headers['content-encoding'] === undefined)
          resolve({ ...incoming, text: textOf(body, headers['content-type'] ?? '', limits) })
        else
          unpacked(incoming, body, limits).then(resolve, () =>
            reject(new ResponseTooLarge(status, maxBytes)),
          )
      },
      onResponseError(_controller, error) {
        finish()
        reject(error)
      },
    })
  })
}

/**
 * An undecodable body stays as it is and keeps its encoding header. Plain text with an encoding
 * header is not compressed.
 */
async function unpacked(
  { status, headers }: Omit<Incoming, 'text'>,
  body: Buffer,
  limits: Limits,
): Promise<Incoming> {
  const { 'content-encoding': encoding = '', 'content-length': _length, ...others } = headers
  const plain = await unpack(body, encoding, limits.maxBytes)
  return {
    status,
    headers: plain === null ? headers : others,
    text: textOf(plain ?? body, headers['content-type'] ?? '', limits),
    ...(plain === null && !isUtf8(body) ? { isPacked: true } : {}),
  }
}

function textOf(
  body: Buffer,
  contentType: string,
  { page = false, binary = false }: Limits,
): string {
  if (binary && !isTextual(contentType)) return body.toString('base64')
  return page || binary ? decodeHandedOn(body, contentType) : body.toString('utf8')
}
