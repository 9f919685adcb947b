import type { CdpEvent } from './cdp-client.ts'

export type ShownPage = { readonly url: string; readonly title: string }

/** The pages of a browser, by the events of `Target.setDiscoverTargets`. */
export type PageList = {
  /** Whether the event changed which page is shown. */
  take(event: CdpEvent): boolean
  /** The page that was opened or navigated last. */
  shownId(): string | null
  shown(): ShownPage | null
  clear(): void
}

type TargetInfo = { targetId: string; type: string; url: string; title: string }

/** A page can open any number of windows. */
const MOST_PAGES = 200
const LONGEST_TEXT = 2_000

export function createPageList(): PageList {
  /** The shown page is the last one. */
  const pages = new Map<string, ShownPage>()
  const shownId = (): string | null => [...pages.keys()].at(-1) ?? null

  function put({ targetId, type, url, title }: TargetInfo): void {
    if (type !== 'page') return
    const known = pages.get(targetId)
    const isNavigated = known === undefined || known.url !== cut(url)
    if (isNavigated) pages.delete(targetId)
    pages.set(targetId, { url: cut(url), title: cut(title) })
    const [oldest] = pages.keys()
    if (pages.size > MOST_PAGES && oldest !== undefined) pages.delete(oldest)
  }

  return {
    take({ method, params }) {
      const before = shownId()
      if (method === 'Target.targetCreated' || method === 'Target.targetInfoChanged')
        put(params['targetInfo'] as TargetInfo)
      if (method === 'Target.targetDestroyed') pages.delete(String(params['targetId']))
      return shownId() !== before
    },
    shownId,
    shown: () => pages.get(shownId() ?? '') ?? null,
    clear: () => pages.clear(),
  }
}

const cut = (text: string): string => text.slice(0, LONGEST_TEXT)
