import { refusedAddress } from '../../catalog/validate/web-address.ts'
import type { AppError } from '../../errors/app-error.ts'
import type { Climb } from './page-row.ts'
import { documentRefusal, normaliseUrl } from './urls.ts'

/** Of the first page of which only what it leads to tells that there is none to read: the same as where its address tells it. */
export function refusalAmong(climbs: readonly Climb[], urls: readonly string[]): AppError | null {
  for (const { url, refusal } of climbs) {
    if (refusal === null) continue
    const place = urls.findIndex((text, index) => normaliseUrl(text, `urls[${index}]`) === url)
    const param = place < 0 ? 'site.url' : `urls[${place}]`
    return refusal.error === 'document'
      ? documentRefusal(param, refusal.contentType)
      : refusedAddress(param)
  }
  return null
}
