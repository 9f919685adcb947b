/** The fallback to http for hosts typed without a scheme, if they accept no https connection. */
import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import { hasScheme } from '../../catalog/validate/web-address.ts'
import { createTask, type PageTask } from './page-row.ts'
import { readInBatch } from './readers/batch.ts'
import type { PageReading, ReadOptions } from './readers/page-reading.ts'
import { normaliseUrl } from './urls.ts'

/** Port 443 requires https, like a scheme: "example.com:443". */
const HTTPS_PORT = /^(\/\/)?[^/?#]*:443(?=[/?#]|$)/

/** One task for each URL. `inputs` are the addresses as typed. */
export function createTasks(urls: readonly string[], inputs: readonly string[]): PageTask[] {
  const httpUrls = findHttpUrls(inputs)
  return urls.map((url) => createTask(url, httpUrls.get(url)))
}

/** Maps URLs to their http form, except where any input requires https. */
export function findHttpUrls(inputs: readonly string[]): ReadonlyMap<string, string> {
  const httpUrls = new Map<string, string>()
  const explicit = new Set<string>()
  for (const input of inputs.map((text) => text.trim())) {
    const url = new URL(normaliseUrl(input, 'url'))
    if (hasScheme(input) || HTTPS_PORT.test(input)) explicit.add(url.href)
    else httpUrls.set(url.href, `http:${url.href.slice(url.protocol.length)}`)
  }
  for (const address of explicit) httpUrls.delete(address)
  return httpUrls
}

/** Reads an unreachable page once over http. If the host answers, later readers use http too. */
export async function readByHttp(
  tools: CallTools,
  task: PageTask,
  options: ReadOptions,
): Promise<PageReading | null> {
  if (task.httpUrl === null || !task.isUnreachable) return null
  const [reading] = await readInBatch(tools, [task.httpUrl], options)
  if (reading === undefined) return null
  if (reading.isUnreachable === undefined) task.address = task.httpUrl
  // This batch has one page, which costs the whole price.
  return { ...reading, hop: reading.call }
}
