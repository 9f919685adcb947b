/**
 * An S3 stand-in that verifies every request: it recomputes the signature by the published rules
 * (Signature Version 4, header form) over method, path, query, host, length, type and body hash.
 */
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Clock } from '../../../lib/clock.ts'

export type VerifyingS3 = {
  readonly url: string
  readonly objects: Map<string, Buffer>
  readonly refusals: string[]
  close(): Promise<void>
}
type Keys = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly now: Clock
}

const MAX_SKEW_MS = 15 * 60 * 1000
const MUST_BE_SIGNED = ['host', 'x-amz-content-sha256', 'x-amz-date']
const SIGNED_WHEN_SENT = ['content-length', 'content-type', 'range']

export async function startVerifyingS3(keys: Keys): Promise<VerifyingS3> {
  const objects = new Map<string, Buffer>()
  const refusals: string[] = []
  const server = createServer((request, response) => {
    void buffer(request).then(
      (body) => {
        const refusal = refusalOf(request, body, keys)
        if (refusal === null) return serve(objects, request, body, response)
        refusals.push(refusal)
        response
          .writeHead(403, { 'content-type': 'application/xml' })
          .end(`<Error><Code>${refusal}</Code><Message>secret words of the store</Message></Error>`)
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    refusals,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/

/** The error code of a request, or null. */
function refusalOf(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey, region, now }: Keys,
): string | null {
  const match = AUTHORIZATION.exec(request.headers.authorization ?? '')
  if (match === null) return 'AccessDenied'
  const [, keyId = '', day = '', signedRegion = '', signedList = '', signature] = match
  if (keyId !== accessKeyId) return 'InvalidAccessKeyId'
  const date = String(request.headers['x-amz-date'])
  const sentMs = Date.parse(
    date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
  if (!(Math.abs(sentMs - now()) <= MAX_SKEW_MS)) return 'RequestTimeTooSkewed'
  if (signedRegion !== region || day !== date.slice(0, 8)) return 'AuthorizationHeaderMalformed'
  const signed = signedList.split(';')
  const missing = [
    ...MUST_BE_SIGNED,
    ...SIGNED_WHEN_SENT.filter(
      (name) => request.headers[name] !== undefined && request.method !== 'DELETE',
    ),
  ].filter((name) => !signed.includes(name))
  if (missing.length > 0) return `NotSigned-${missing.join('-')}`
  const contentHash = String(request.headers['x-amz-content-sha256'])
  const canonical = canonicalRequest(request, signed, contentHash)
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${secretAccessKey}`,
  )
  if (hmac(key, text).toString('hex') !== signature) return 'SignatureDoesNotMatch'
  return sha256(body) === contentHash ? null : 'XAmzContentSHA256Mismatch'
}

function canonicalRequest(
  request: IncomingMessage,
  signed: readonly string[],
  contentHash: string,
): string {
  const url = new URL(request.url ?? '/', 'http://store')
  const query = [...url.searchParams]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .sort()
    .join('&')
  const headers = signed
    .map((name) => `${name}:${String(request.headers[name]).trim().replaceAll(/\s+/g, ' ')}\n`)
    .join('')
  return [request.method, url.pathname, query, headers, signed.join(';'), contentHash].join('\n')
}

function serve(
  objects: Map<string, Buffer>,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const path = request.url ?? ''
  const object = objects.get(path)
  if (request.method === 'PUT') {
    objects.set(path, body)
    response.end()
  } else if (request.method === 'DELETE') {
    objects.delete(path)
    response.writeHead(204).end()
  } else if (object === undefined) {
    response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  } else {
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    if (range === null) response.end(object)
    else
      response
        .writeHead(206, { 'content-range': `bytes ${range[1]}-${range[2]}/${object.length}` })
        .end(object.subarray(Number(range[1]), Number(range[2]) + 1))
  }
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()
