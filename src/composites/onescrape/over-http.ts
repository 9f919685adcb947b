/** Hosts that were named without a scheme: they are read over https, and over http where they take no connection so. */
import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import { hasScheme } from '../../catalog/validate/web-address.ts'
import { startClimb, type Climb } from './page-row.ts'
import { readInBatch, type PageReading, type Wish } from './readers.ts'
import { normaliseUrl } from './urls.ts'

/** "example.com:443" names https as plainly as a scheme does. */
const HTTPS_PORT = /^(\/\/)?[^/?#]*:443(?=[/?#]|$)/

/** A climb for each page; `inputs` is how they were typed. */
export function startClimbs(urls: readonly string[], inputs: readonly string[]): Climb[] {
  const overHttp = addressesOverHttp(inputs)
  return urls.map((url) => startClimb(url, overHttp.get(url)))
}

/** For each such address, as it is read, the same over http. Who writes https for it, in another input too, means it. */
export function addressesOverHttp(inputs: readonly string[]): ReadonlyMap<string, string> {
  const overHttp = new Map<string, string>()
  const meant = new Set<string>()
  for (const input of inputs.map((text) => text.trim())) {
    const url = new URL(normaliseUrl(input, 'url'))
    if (hasScheme(input) || HTTPS_PORT.test(input)) meant.add(url.href)
    else overHttp.set(url.href, `http:${url.href.slice(url.protocol.length)}`)
  }
  for (const address of meant) overHttp.delete(address)
  return overHttp
}

/** Reads such a page over http, once, if nothing was there over https. What answers so is what the further readers are asked for. */
export async function readOverHttp(
  tools: CallTools,
  climb: Climb,
  wish: Wish,
): Promise<PageReading | null> {
  if (climb.overHttp === null || !climb.isUnreachable) return null
  const [reading] = await readInBatch(tools, [climb.overHttp], wish)
  if (reading === undefined) return null
  if (reading.isUnreachable === undefined) climb.address = climb.overHttp
  // Alone in its batch, the page has the whole price of it.
  return { ...reading, hop: reading.call }
}
