/** Opens a call next to the list on wide screens. Elsewhere, and without it, its link opens the page of the call. */
import { startCopyButtons } from './parts/copy.ts'
import { showTimes } from './parts/times.ts'

const WIDE = matchMedia('(min-width: 75rem)')
const CALL_ID = /^(?:req|tx)_\w+$/

const split = document.querySelector<HTMLElement>('[data-call-panel]')
if (split !== null) start(split, split.dataset['callPanel'] ?? '')

/** The open call is in the fragment of the address. `urlPattern`: the page of the call `ID`. */
function start(target: HTMLElement, urlPattern: string): void {
  const panel = document.createElement('aside')
  panel.className = 'call-panel'
  panel.setAttribute('aria-label', 'Call')
  let shown = ''
  let request = new AbortController()

  const urlOf = (id: string): string => urlPattern.replace('ID', id)
  const linkOf = (id: string): HTMLElement | null =>
    document.getElementById(id)?.querySelector('a') ?? null

  function sync(): void {
    const id = location.hash.slice(1)
    const wanted = WIDE.matches && CALL_ID.test(id) ? id : ''
    if (wanted === shown) return
    request.abort()
    const before = shown
    shown = wanted
    markRow()
    target.classList.toggle('open', wanted !== '')
    if (wanted !== '') {
      target.append(panel)
      void load(wanted)
      return
    }
    const hadFocus = panel.contains(document.activeElement)
    panel.remove()
    if (hadFocus) linkOf(before)?.focus()
  }

  async function load(id: string): Promise<void> {
    request = new AbortController()
    const { signal } = request
    fill(id, paragraph('Loading…', 'status'))
    panel.querySelector('button')?.focus()
    try {
      const response = await fetch(urlOf(id), { headers: { accept: 'text/html' }, signal })
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      const main = page.querySelector('[data-console] #main')
      // A page without the console asks the visitor to sign in.
      if (main === null) return location.assign(urlOf(id))
      fill(id, ...mainParts(main))
      showTimes(panel)
      startCopyButtons(panel)
    } catch {
      if (!signal.aborted)
        fill(id, paragraph('The call could not be loaded. Open its page instead.', 'alert'))
    }
  }

  /** Replaces the content and leaves the focus on the close button. */
  function fill(id: string, ...content: readonly Node[]): void {
    const old = panel.querySelector('.call-panel-bar')
    if (old !== null && panel.dataset['call'] === id) {
      while (old.nextSibling !== null) old.nextSibling.remove()
      panel.append(...content)
      return
    }
    panel.dataset['call'] = id
    panel.replaceChildren(bar(urlOf(id), close), ...content)
    panel.scrollTop = 0
  }

  function markRow(): void {
    for (const row of target.querySelectorAll('tr[aria-current]'))
      row.removeAttribute('aria-current')
    if (shown !== '') document.getElementById(shown)?.setAttribute('aria-current', 'true')
  }

  function close(): void {
    if ((history.state as { call?: true } | null)?.call === true) return history.back()
    history.replaceState(null, '', location.pathname + location.search)
    sync()
  }

  target.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('.call-table td a')
    const id = link?.closest('tr')?.id ?? ''
    const isPlain =
      event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!isPlain || !WIDE.matches || !CALL_ID.test(id)) return
    event.preventDefault()
    // Back closes the panel, also after several calls.
    if (shown === '') history.pushState({ call: true }, '', `#${id}`)
    else history.replaceState(history.state, '', `#${id}`)
    sync()
  })
  document.addEventListener('keydown', (event) => {
    const isOurs = !event.defaultPrevented && document.querySelector('dialog[open]') === null
    if (event.key === 'Escape' && shown !== '' && isOurs) close()
  })
  addEventListener('popstate', sync)
  WIDE.addEventListener('change', sync)
  // New calls replace the rows.
  const list = target.querySelector('[data-live-calls]')
  if (list !== null) new MutationObserver(markRow).observe(list, { childList: true })
  sync()
}

function bar(url: string, close: () => void): HTMLElement {
  const box = document.createElement('div')
  box.className = 'call-panel-bar'
  const link = document.createElement('a')
  link.href = url
  link.textContent = 'Open page'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button quiet small'
  button.textContent = 'Close'
  button.addEventListener('click', close)
  box.append(link, button)
  return box
}

/** The main part of a page. Its title becomes a heading below that of the list. */
function mainParts(main: Element): readonly Node[] {
  const title = main.querySelector('h1')
  if (title !== null) {
    const heading = document.createElement('h2')
    heading.className = 'call-panel-title'
    heading.append(...title.childNodes)
    title.replaceWith(heading)
  }
  return [...main.childNodes].map((node) => document.adoptNode(node))
}

function paragraph(text: string, role: string): HTMLElement {
  const line = document.createElement('p')
  line.setAttribute('role', role)
  line.textContent = text
  return line
}
