import type { Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'
import type { Owner } from '../../lib/owner.ts'
import { download } from '../../upstream/download.ts'
import { openFile } from '../files/read-file.ts'
import type { MediaDeps } from './media-deps.ts'

const IDLE_MS = 20_000

/**
 * The content of an address: a file of the account, or else a file of the web. Throws AppError
 * `unknown_file`, also for another account's file, and that of `download`, naming the parameter.
 */
export async function openInput(
  { files, fetching, now }: Pick<MediaDeps, 'files' | 'fetching' | 'now'>,
  owner: Owner,
  { param, address }: { readonly param: string; readonly address: string },
  signal: AbortSignal,
): Promise<Readable> {
  const fileId = files.links.fileIdIn(address)
  try {
    return fileId === null
      ? (await download(address, { ...fetching, signal, idleMs: IDLE_MS, now })).body
      : (await openFile(files, owner, fileId)).stream
  } catch (error) {
    throw error instanceof AppError ? naming(error, param) : error
  }
}

function naming(error: AppError, param: string): AppError {
  const { code, message, fix, details, retryAfterSeconds } = error
  return new AppError(code, `The file of "${param}": ${message}`, {
    param,
    fix,
    ...(details === undefined ? {} : { details }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause: error,
  })
}
