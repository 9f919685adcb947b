/** The image of the page that a browser used last, for viewers and recordings. */
import type { CdpHub } from '../cdp-hub.ts'
import { openCdpClient, type CdpClient, type CdpEvent } from './cdp-client.ts'
import { createPageList, type ShownPage } from './page-list.ts'
import { createPacer } from './pacer.ts'

export type Screencast = {
  /** Calls `onFrame` with each JPEG. The first follower starts the screencast, and the last one ends it. */
  follow(onFrame: (jpeg: Buffer) => void): () => void
  /** The last image while there are followers. */
  latest(): Buffer | null
  /** The page in the image; null without a page, or if the browser does not answer. */
  page(): Promise<ShownPage | null>
}

/** Larger images than Chromium makes of this size are not shown. */
const MOST_FRAME_BYTES = 2 * 1024 * 1024
export const FRAME_WIDTH = 1280
export const FRAME_HEIGHT = 800
const SETTINGS = {
  format: 'jpeg',
  quality: 60,
  maxWidth: FRAME_WIDTH,
  maxHeight: FRAME_HEIGHT,
}

type Cast = { readonly targetId: string; readonly sessionId: string }

export function createScreencast(hub: CdpHub): Screencast {
  const followers = new Set<(jpeg: Buffer) => void>()
  const pages = createPageList()
  const pacer = createPacer()
  let opened: Promise<CdpClient> | null = null
  let cast: Cast | null = null
  let latest: Buffer | null = null
  let isChanged = false
  let changing: Promise<void> | null = null

  function onEvent(event: CdpEvent): void {
    if (event.method === 'Page.screencastFrame') showFrame(event)
    else if (pages.take(event)) change()
  }

  function showFrame({ params, sessionId }: CdpEvent): void {
    if (cast === null || sessionId !== cast.sessionId) return
    const { data, sessionId: number } = params
    const jpeg = Buffer.from(String(data), 'base64')
    // Chromium sends the next frame after the acknowledgment.
    pacer.after(jpeg.length, () => void send('Page.screencastFrameAck', { sessionId: number }))
    if (jpeg.length > MOST_FRAME_BYTES) return
    latest = jpeg
    for (const onFrame of followers) onFrame(jpeg)
  }

  /** Never rejects: a page may end at any time. */
  async function send(method: string, params: object): Promise<void> {
    const client = await opened
    await client?.send(method, params, cast?.sessionId).catch(() => undefined)
  }

  function open(): Promise<CdpClient> {
    const forget = (): void => {
      opened = null
      cast = null
      pages.clear()
    }
    const onFailed = (): void => {
      forget()
      if (followers.size > 0) change()
    }
    opened ??= (async () => {
      const client = await openCdpClient(hub, { onEvent, onFailed })
      await client.send('Target.setDiscoverTargets', { discover: true }).catch((error: unknown) => {
        client.close()
        throw error
      })
      return client
    })().catch((error: unknown) => {
      forget()
      throw error
    })
    return opened
  }

  /** Moves the screencast to the page that it should show. */
  function change(): void {
    isChanged = true
    changing ??= moveUntilRight()
      .catch(() => undefined)
      .finally(() => {
        changing = null
        if (isChanged) change()
      })
  }

  async function moveUntilRight(): Promise<void> {
    while (isChanged) {
      isChanged = false
      const client = await open()
      const wanted = followers.size > 0 ? pages.shownId() : null
      if (wanted === (cast?.targetId ?? null)) continue
      await stop(client)
      // A page that has ended meanwhile is followed by another event.
      if (wanted !== null) await start(client, wanted).catch(() => undefined)
    }
  }

  async function stop(client: CdpClient): Promise<void> {
    pacer.clear()
    latest = null
    if (cast === null) return
    const { sessionId } = cast
    cast = null
    await client.send('Target.detachFromTarget', { sessionId }).catch(() => undefined)
  }

  async function start(client: CdpClient, targetId: string): Promise<void> {
    const { sessionId } = await client.send('Target.attachToTarget', { targetId, flatten: true })
    cast = { targetId, sessionId: String(sessionId) }
    await client.send('Page.startScreencast', SETTINGS, cast.sessionId)
  }

  return {
    follow(onFrame) {
      followers.add(onFrame)
      change()
      return () => {
        if (followers.delete(onFrame) && followers.size === 0) change()
      }
    },
    latest: () => latest,
    async page() {
      try {
        const client = await open()
        const targetId = pages.shownId()
        if (targetId === null) return null
        // Chromium reports no event when a title changes.
        const { targetInfo } = await client.send('Target.getTargetInfo', { targetId })
        if (targetInfo !== undefined)
          pages.take({ method: 'Target.targetInfoChanged', params: { targetInfo } })
        return pages.shown()
      } catch {
        return null
      }
    },
  }
}
