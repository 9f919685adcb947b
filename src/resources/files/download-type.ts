import type { Download } from '../../upstream/download.ts'
import type { Guard } from '../../upstream/guard.ts'
import { mediaTypeOf } from './filename.ts'

/** Guard and user agent for downloads. */
export type Fetching = { readonly guard: Guard; readonly userAgent: string }

/** The media type in the response without parameters; undefined if missing or invalid. */
export function mediaTypeOfDownload({ headers }: Pick<Download, 'headers'>): string | undefined {
  return mediaTypeOf(String(headers['content-type'] ?? ''))
}
