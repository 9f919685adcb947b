import { Readable } from 'node:stream'
import type { StoreOutput, Output } from '../../catalog/vocabulary/file-field.ts'
import { AppError } from '../../errors/app-error.ts'
import { download, downloadFailure, type Download } from '../../upstream/download.ts'
import type { Guard } from '../../upstream/guard.ts'
import type { FileDeps } from './file-deps.ts'
import { fileRecord, freshExpiryMs } from './file-row.ts'
import { findFile } from './find-file.ts'
import { endingOf } from './filename.ts'
import { saveOutput } from './save-output.ts'
import { mediaTypeOfDownload, type Fetching } from './download-type.ts'

const IDLE_MS = 20_000
/** Generic types that servers use when they do not know the type. */
const GENERIC_TYPES: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'binary/octet-stream',
])
/** Types of error pages, which servers also send with a success status. */
const A_PAGE = /^(text\/|application\/(json|xml|xhtml\+xml|problem\+json)$)/

/** The simulated vendors of test keys. Only their links may lead to this machine. */
export type SimulatedLinks = { readonly url: string; readonly guard: Guard }

/**
 * Saves outputs of paid calls, given as a link, a `data:` URL or base64. Linked files of any size
 * are streamed. A part of the gateway may have saved the file itself: then the link is its own.
 */
export function createOutputSaver(
  deps: FileDeps,
  fetching: Fetching,
  simulated?: SimulatedLinks,
): StoreOutput {
  return async (output, signal) => {
    const { content, mime } = output
    const own = deps.links.fileIdIn(content)
    if (own !== null) return fileRecord(deps, await findFile(deps.database, output.owner, own))
    if (/^https?:\/\//i.test(content)) {
      const isSimulated =
        output.owner.mode === 'test' &&
        simulated !== undefined &&
        content.startsWith(`${simulated.url}/`)
      return saveLinked(
        deps,
        output,
        isSimulated ? { ...fetching, guard: simulated.guard } : fetching,
        signal,
      )
    }
    const found = content.startsWith('data:')
      ? fromDataUrl(content, mime)
      : fromBase64(content, mime)
    if (found.bytes.length === 0) throw noFile()
    return save(
      deps,
      output,
      { mime: found.mime, body: Readable.from([found.bytes]), expectedBytes: null },
      signal,
    )
  }
}

async function saveLinked(deps: FileDeps, output: Output, fetching: Fetching, signal: AbortSignal) {
  const found = await download(output.content, {
    ...fetching,
    signal,
    idleMs: IDLE_MS,
    now: deps.now,
  })
  try {
    if (found.announcedBytes === 0) throw noFile()
    return await save(
      deps,
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
  /** Null if the length was not declared. */
  readonly expectedBytes: number | null
}

function save(
  deps: FileDeps,
  { owner, id, filename, source, isTemporary = false }: Output,
  { mime, body, expectedBytes }: Content,
  signal: AbortSignal,
) {
  return saveOutput(
    deps,
    owner,
    {
      id,
      filename: `${filename}${endingOf(mime)}`,
      mime,
      source,
      tags: ['output'],
      expectedBytes,
      ...(isTemporary ? { expiresMs: freshExpiryMs(deps.now()) } : {}),
    },
    body,
    signal,
  )
}

/** Rejects a page in place of an image or video: the file is gone. */
function servedAs(found: Download, expected: string): string {
  const served = mediaTypeOfDownload(found)
  if (served === undefined || GENERIC_TYPES.has(served)) return expected
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
  return { bytes, mime: imageType(bytes) ?? expected }
}

/** Callers may choose the image format, and only the bytes show it. */
function imageType(bytes: Buffer): string | undefined {
  const first = bytes.toString('latin1', 0, 12)
  if (first.startsWith('\x89PNG')) return 'image/png'
  if (first.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  return first.startsWith('RIFF') && first.endsWith('WEBP') ? 'image/webp' : undefined
}

function noFile(): AppError {
  return new AppError('upstream_error', "The vendor's link does not lead to a file.")
}
