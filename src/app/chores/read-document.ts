/** Reads a document of an operator: a file, or a URL through the guard. */
import { readFile, stat } from 'node:fs/promises'
import { AppError } from '../../errors/app-error.ts'
import { createGuard } from '../../upstream/guard.ts'
import { readSmallDocument } from '../../upstream/small-document.ts'
import type { Config } from '../settings/config.ts'

const TIMEOUT_MS = 30_000

export type DocumentSource = {
  readonly config: Pick<Config, 'userAgent' | 'allowPrivateNetworks'>
  readonly maxBytes: number
}

/** Throws AppError for a document that cannot be read. */
export async function readDocumentText(
  place: string,
  { config, maxBytes }: DocumentSource,
): Promise<string> {
  if (!/^https?:\/\//i.test(place)) return readFileText(place, maxBytes)
  const guard = createGuard({ allowPrivateNetworks: config.allowPrivateNetworks })
  try {
    const { text } = await readSmallDocument(place, {
      guard,
      userAgent: config.userAgent,
      accept: 'application/json, */*;q=0.5',
      maxBytes,
      timeoutMs: TIMEOUT_MS,
    })
    return text
  } finally {
    await guard.close()
  }
}

async function readFileText(path: string, maxBytes: number): Promise<string> {
  try {
    const found = await stat(path)
    if (!found.isFile()) throw unreadable(path, 'is not a regular file')
    if (found.size > maxBytes) throw unreadable(path, `is larger than ${maxBytes} bytes`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unreadable(path, `cannot be read (${String((error as NodeJS.ErrnoException).code)})`)
  }
}

function unreadable(path: string, problem: string): AppError {
  return new AppError('bad_request', `${path} ${problem}.`, {
    fix: 'Name a file or a URL of an OpenAPI document in JSON.',
  })
}
