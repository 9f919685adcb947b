import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { request, type Dispatcher } from 'undici'
import { AppError } from '../../../errors/app-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { ByteRange, Store } from '../store.ts'

export type S3Settings = {
  /**
   * Without a trailing slash. The bucket follows in the path, which all S3-compatible stores
   * support.
   */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

type S3Options = S3Settings & { readonly dispatcher: Dispatcher; readonly now: Clock }
type Sent = Awaited<ReturnType<typeof request>>
type Facts = {
  readonly headers?: Readonly<Record<string, string>>
  readonly contentSha256?: string
  readonly path?: string
}

const TIMEOUT_MS = 60_000
const MAX_ERROR_BYTES = 64 * 1024
// A missing bucket does not mean that the object was never stored.
const NO_BUCKET = 'NoSuchBucket'
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * Stores objects in a bucket of an S3-compatible store. Length and hash are part of the signature,
 * so the store checks them too.
 */
export function createS3Store({
  endpoint,
  bucket,
  dispatcher,
  now,
  ...credentials
}: S3Options): Store {
  async function send(
    method: 'GET' | 'PUT' | 'DELETE',
    key: string,
    { headers = {}, contentSha256 = EMPTY_SHA256, path }: Facts = {},
  ): Promise<Sent> {
    const signer = new AwsV4Signer({
      ...credentials,
      method,
      url: `${endpoint}/${bucket}/${key}`,
      service: 's3',
      headers: { ...headers, 'x-amz-content-sha256': contentSha256 },
      datetime: new Date(now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
      allHeaders: true,
    })
    const { url, headers: signed } = await signer.sign()
    try {
      return await request(url, {
        method,
        dispatcher,
        headers: Object.fromEntries(signed),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        ...(path === undefined ? {} : { body: createReadStream(path) }),
      })
    } catch (error) {
      throw unavailable(error)
    }
  }

  return {
    async put(key, { path, sizeBytes, sha256 }) {
      const headers = {
        'content-length': String(sizeBytes),
        'content-type': 'application/octet-stream',
      }
      const answer = await send('PUT', key, {
        headers,
        contentSha256: sha256.toString('hex'),
        path,
      })
      if (answer.statusCode !== 200) throw refused(answer, await errorCodeOf(answer))
      await answer.body.dump()
    },
    async open(key, range) {
      const answer = await send(
        'GET',
        key,
        range === null ? {} : { headers: { range: `bytes=${range.first}-${range.last}` } },
      )
      if (range === null ? answer.statusCode === 200 : isRange(answer, range))
        return answer.body satisfies Readable
      const code = await errorCodeOf(answer)
      if (answer.statusCode !== 404 || code === NO_BUCKET) throw refused(answer, code)
      return null
    },
    async remove(key) {
      const answer = await send('DELETE', key)
      if (answer.statusCode !== 200 && answer.statusCode !== 204 && answer.statusCode !== 404)
        throw refused(answer, await errorCodeOf(answer))
      await answer.body.dump()
    },
  }
}

/** Some stores answer a misread range with 206 and other bytes. */
function isRange({ statusCode, headers }: Sent, { first, last }: ByteRange): boolean {
  return (
    statusCode === 206 && String(headers['content-range']).startsWith(`bytes ${first}-${last}/`)
  )
}

/** The store's error code; null without one. Closes the response. */
async function errorCodeOf({ headers, body }: Sent): Promise<string | null> {
  // Errors are short. A long body is an unexpected object.
  const text =
    Number(headers['content-length'] ?? 0) > MAX_ERROR_BYTES
      ? ''
      : await body.text().catch(() => '')
  body.destroy()
  return /<Code>([^<]{1,80})/.exec(text)?.[1] ?? null
}

/**
 * Only the operator sees the store's error code, because its message names the bucket and the key
 * id.
 */
function refused({ statusCode }: Sent, code: string | null): AppError {
  return unavailable(
    new AppError(
      'upstream_error',
      `The file store responded with status ${statusCode}: ${code ?? 'no code'}.`,
    ),
  )
}

function unavailable(cause: unknown): AppError {
  return new AppError('overloaded', 'The store with the files is unavailable at the moment.', {
    retryAfterSeconds: 5,
    cause,
  })
}
