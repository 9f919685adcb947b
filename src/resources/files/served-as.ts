import type { Download } from '../../upstream/download.ts'
import type { Guard } from '../../upstream/guard.ts'

/** How addresses of the web are fetched. */
export type Fetching = { readonly guard: Guard; readonly userAgent: string }

/** The media type that the server gives, without its parameters; undefined when it gives none that is one. */
export function typeOf({ headers }: Pick<Download, 'headers'>): string | undefined {
  const essence = String(headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+-]{1,60}\/[\w.+-]{1,66}$/.test(essence) ? essence : undefined
}
