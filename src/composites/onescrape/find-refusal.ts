import { blockedAddressError } from '../../catalog/validate/web-address.ts'
import type { AppError } from '../../errors/app-error.ts'
import type { PageTask } from './page-row.ts'
import { documentRefusal, normaliseUrl } from './urls.ts'

/** The error for the first URL found not to be a page only after fetching. */
export function findRefusal(tasks: readonly PageTask[], urls: readonly string[]): AppError | null {
  for (const { url, refusal } of tasks) {
    if (refusal === null) continue
    const place = urls.findIndex((text, index) => normaliseUrl(text, `urls[${index}]`) === url)
    const param = place < 0 ? 'site.url' : `urls[${place}]`
    return refusal.error === 'document'
      ? documentRefusal(param, refusal.contentType)
      : blockedAddressError(param)
  }
  return null
}
