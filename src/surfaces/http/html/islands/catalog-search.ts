/** Shows the results of a catalog search while the reader types. The server renders them. */
const PAUSE_MS = 140

const form = document.querySelector<HTMLFormElement>('form.catalog-search')
const input = form?.querySelector<HTMLInputElement>('input[type="search"]')

if (form && input) {
  let timer = 0
  let running: AbortController | undefined

  const show = async (): Promise<void> => {
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(form))
      if (typeof value === 'string' && value.trim() !== '') query.set(name, value)
    const url = `/catalog${query.size === 0 ? '' : `?${query.toString()}`}`
    running?.abort()
    running = new AbortController()
    try {
      const response = await fetch(url, { signal: running.signal })
      if (!response.ok) return
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      for (const part of ['[data-catalog-results]', '[data-catalog-facets]']) {
        const next = page.querySelector(part)
        if (next === null) continue
        const former = document.querySelector(part)
        // The filters stay open.
        if (former?.querySelector('details')?.open === true)
          next.querySelector('details')?.setAttribute('open', '')
        former?.replaceWith(document.importNode(next, true))
      }
      history.replaceState(null, '', url)
    } catch {
      // Another search began, or the network failed: the button still searches.
    }
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void show(), PAUSE_MS)
  })
}
