import { Readable } from 'node:stream'
import type { StoreOutput, Output } from '../../catalog/vocabulary/file-field.ts'
import { AppError } from '../../errors/app-error.ts'
import { download, downloadFailure, type Download } from '../../upstream/download.ts'
import type { Guard } from '../../upstream/guard.ts'
import type { FileContext } from './context.ts'
import { endingOf } from './filename.ts'
import { keepOutput } from './keep-output.ts'
import { typeOf, type Fetching } from './served-as.ts'

const IDLE_MS = 20_000
/** What servers say that do not know. */
const UNTOLD: ReadonlySet<string> = new Set(['application/octet-stream', 'binary/octet-stream'])
/** What a server sends to say that a link leads nowhere, whatever its status. */
const A_PAGE = /^(text\/|application\/(json|xml|xhtml\+xml|problem\+json)$)/

/** The built-in vendors of test keys: their links lead to this machine, where no other link may. */
export type SimulatedLinks = { readonly url: string; readonly guard: Guard }

/** Keeps outputs of paid calls: behind a link, in a `data:` URL, or as base64. What is behind a link is streamed, whatever its size. */
export function createOutputKeeper(
  context: FileContext,
  fetching: Fetching,
  simulated?: SimulatedLinks,
): StoreOutput {
  return async (output, signal) => {
    const { content, mime } = output
    if (/^https?:\/\//i.test(content)) {
      const isSimulated =
        output.owner.mode === 'test' &&
        simulated !== undefined &&
        content.startsWith(`${simulated.url}/`)
      return keepLinked(
        context,
        output,
        isSimulated ? { ...fetching, guard: simulated.guard } : fetching,
        signal,
      )
    }
    const found = content.startsWith('data:')
      ? fromDataUrl(content, mime)
      : fromBase64(content, mime)
    if (found.bytes.length === 0) throw noFile()
    return keep(
      context,
      output,
      { mime: found.mime, body: Readable.from([found.bytes]), expectedBytes: null },
      signal,
    )
  }
}

async function keepLinked(
  context: FileContext,
  output: Output,
  fetching: Fetching,
  signal: AbortSignal,
) {
  const found = await download(output.content, {
    ...fetching,
    signal,
    idleMs: IDLE_MS,
    now: context.now,
  })
  try {
    if (found.announcedBytes === 0) throw noFile()
    return await keep(
      context,
      output,
      { mime: servedAs(found, output.mime), body: found.body, expectedBytes: found.announcedBytes },
      signal,
    )
  } catch (error) {
    found.body.destroy()
    throw downloadFailure(error)
  }
}

type Content = {
  readonly mime: string
  readonly body: Readable
  /** Null where nobody has told. */ readonly expectedBytes: number | null
}

function keep(
  context: FileContext,
  { owner, id, filename, source }: Output,
  { mime, body, expectedBytes }: Content,
  signal: AbortSignal,
) {
  return keepOutput(
    context,
    owner,
    { id, filename: `${filename}${endingOf(mime)}`, mime, source, tags: ['output'], expectedBytes },
    body,
    signal,
  )
}

/** A page in place of a picture or a film is no file, but what is left of one. */
function servedAs(found: Download, expected: string): string {
  const served = typeOf(found)
  if (served === undefined || UNTOLD.has(served)) return expected
  if (A_PAGE.test(served) && !A_PAGE.test(expected)) throw noFile()
  return served
}

function fromDataUrl(
  url: string,
  expected: string,
): { readonly bytes: Buffer; readonly mime: string } {
  const comma = url.indexOf(',')
  const [type = '', ...parameters] = url
    .slice('data:'.length, Math.max(comma, 0))
    .toLowerCase()
    .split(';')
  const payload = url.slice(comma + 1)
  if (comma < 0 || !parameters.includes('base64')) throw noFile()
  return {
    bytes: Buffer.from(payload, 'base64'),
    mime: /^[\w.+-]{1,60}\/[\w.+-]{1,66}$/.test(type) ? type : expected,
  }
}

function fromBase64(
  content: string,
  expected: string,
): { readonly bytes: Buffer; readonly mime: string } {
  const bytes = Buffer.from(content, 'base64')
  return { bytes, mime: pictureType(bytes) ?? expected }
}

/** Callers may choose the form of a picture, and bytes alone carry no type but their own. */
function pictureType(bytes: Buffer): string | undefined {
  const first = bytes.toString('latin1', 0, 12)
  if (first.startsWith('\x89PNG')) return 'image/png'
  if (first.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  return first.startsWith('RIFF') && first.endsWith('WEBP') ? 'image/webp' : undefined
}

function noFile(): AppError {
  return new AppError('upstream_error', 'There is no file where the vendor said that there is one.')
}
