import type { Page } from 'playwright-core'

/** A document grew past what is read of one while it was still coming. */
export class DocumentTooLarge extends Error {
  override readonly name = 'DocumentTooLarge'
}

/**
 * Fires with DocumentTooLarge once a document of the page, its frames' included, is larger than `maxBytes` when unpacked.
 * The browser has no such limit: 60 MB of markup, 60 KB on the wire, keep it busy for minutes and fill a gigabyte.
 */
export async function watchDocuments(page: Page, maxBytes: number): Promise<AbortSignal> {
  const tooLarge = new AbortController()
  const bytesByRequest = new Map<string, number>()
  const session = await page.context().newCDPSession(page)
  session.on('Network.requestWillBeSent', ({ requestId, type }) => {
    if (type === 'Document') bytesByRequest.set(requestId, 0)
  })
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const bytes = bytesByRequest.get(requestId)
    if (bytes === undefined) return
    bytesByRequest.set(requestId, bytes + dataLength)
    if (bytes + dataLength > maxBytes) tooLarge.abort(new DocumentTooLarge())
  })
  await session.send('Network.enable')
  return tooLarge.signal
}
