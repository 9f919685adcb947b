import { showTimes } from './parts/times.ts'

/** Slower after this many requests, so that a forgotten tab costs little. */
const EAGER_REQUESTS = 60
const SLOW_FACTOR = 10

/**
 * Replaces parts of the page by their present state, every `data-refresh` seconds, from this page or
 * from `data-refresh-from`. The server ends it by a part without the attribute.
 */
function refresh(part: HTMLElement, requests: number, shown: string): void {
  const seconds = Number(part.dataset['refresh'])
  const waitMs = seconds * 1000 * (requests < EAGER_REQUESTS ? 1 : SLOW_FACTOR)
  setTimeout(() => void step(part, requests, shown), waitMs)
}

async function step(part: HTMLElement, requests: number, shown: string): Promise<void> {
  const next = document.visibilityState === 'hidden' ? null : await read(part)
  const markup = next?.outerHTML ?? shown
  // A part with the focus stays until the focus moves on.
  if (next === null || markup === shown || part.contains(document.activeElement)) {
    refresh(part, requests + 1, shown)
    return
  }
  showTimes(next)
  part.replaceWith(next)
  if (next.dataset['refresh'] !== undefined) refresh(next, requests + 1, markup)
}

async function read(part: HTMLElement): Promise<HTMLElement | null> {
  try {
    const response = await fetch(part.dataset['refreshFrom'] ?? location.href, {
      headers: { accept: 'text/html' },
    })
    if (!response.ok) return null
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const next = page.getElementById(part.id)
    return next === null ? null : document.adoptNode(next)
  } catch {
    // The next request may reach the gateway.
    return null
  }
}

for (const part of document.querySelectorAll<HTMLElement>('[data-refresh]')) refresh(part, 0, '')
