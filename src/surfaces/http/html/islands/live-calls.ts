/** Keeps the list of calls up to date while it is open. Without it, the page has a link that reloads. */
import { showTimes } from './parts/times.ts'

const REFRESH_AFTER_MS = 1_000

const list = document.querySelector<HTMLElement>('[data-live-calls]')
const button = document.querySelector<HTMLButtonElement>('[data-live-pause]')
if (list !== null && button !== null && list.dataset['older'] === undefined)
  startLive(list, button, list.dataset['liveCalls'] ?? '')
else button?.remove()

function startLive(target: HTMLElement, pause: HTMLButtonElement, url: string): void {
  let source: EventSource | null = null
  let timer: number | undefined
  let isReading = false

  async function refresh(): Promise<void> {
    timer = undefined
    // Not while someone reads a menu or the page is hidden.
    if (isReading || document.visibilityState === 'hidden') return schedule()
    isReading = true
    try {
      const response = await fetch(location.href, { headers: { accept: 'text/html' } })
      if (response.ok && source !== null) show(target, await response.text())
    } catch {
      // The stream reconnects and reports the next call.
    } finally {
      isReading = false
    }
  }

  function schedule(): void {
    timer ??= setTimeout(() => void refresh(), REFRESH_AFTER_MS)
  }

  function connect(): void {
    source = new EventSource(url)
    source.addEventListener('call', schedule)
    source.addEventListener('open', () => sayState('Live. New calls appear at the top.', true))
    source.addEventListener('error', () => sayState('Connecting again…', false))
  }

  function disconnect(): void {
    source?.close()
    source = null
    clearTimeout(timer)
    timer = undefined
    sayState('Paused.', false)
  }

  pause.addEventListener('click', () => {
    const isPaused = source !== null
    pause.setAttribute('aria-pressed', String(isPaused))
    const label = pause.querySelector('span')
    if (label !== null) label.textContent = isPaused ? 'Resume' : 'Pause'
    if (isPaused) disconnect()
    else {
      connect()
      schedule()
    }
  })
  addEventListener('pagehide', () => source?.close())
  connect()
}

function sayState(text: string, isLive: boolean): void {
  const state = document.querySelector('[data-live-state]')
  if (state === null) return
  state.textContent = text
  state.classList.toggle('live', isLive)
}

/** Replaces the chart by that of a page. An open or focused table stays. */
function showChart(read: Document): void {
  const [chart, fresh] = [document, read].map((page) =>
    page.querySelector<HTMLElement>('[data-live-chart]'),
  )
  if (chart == null || fresh == null) return
  if (chart.querySelector('details')?.open === true || chart.contains(document.activeElement))
    return
  showTimes(fresh)
  chart.replaceChildren(...fresh.childNodes)
}

/** Replaces the list by that of a page, and marks rows that are new in it. */
function show(target: HTMLElement, page: string): void {
  const read = new DOMParser().parseFromString(page, 'text/html')
  const fresh = read.querySelector('[data-live-calls]')
  if (fresh === null) return
  const known = new Set([...target.querySelectorAll('tbody tr')].map(({ id }) => id))
  const focused = document.activeElement?.closest('tr')?.id
  for (const row of fresh.querySelectorAll<HTMLElement>('tbody tr'))
    if (known.size > 0 && !known.has(row.id)) row.dataset['new'] = ''
  showChart(read)
  showTimes(fresh)
  target.replaceChildren(...fresh.childNodes)
  sayState('Live. New calls appear at the top.', true)
  if (focused !== undefined && focused !== '')
    document.getElementById(focused)?.querySelector('a')?.focus()
}
