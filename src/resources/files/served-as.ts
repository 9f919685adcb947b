import type { Download } from '../../upstream/download.ts'
import type { Guard } from '../../upstream/guard.ts'
import { mediaTypeOf } from './filename.ts'

/** How addresses of the web are fetched. */
export type Fetching = { readonly guard: Guard; readonly userAgent: string }

/** The media type that the server gives, without its parameters; undefined when it gives none that is one. */
export function typeOf({ headers }: Pick<Download, 'headers'>): string | undefined {
  return mediaTypeOf(String(headers['content-type'] ?? ''))
}
