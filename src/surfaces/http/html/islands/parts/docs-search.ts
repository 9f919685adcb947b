type Hit = { href: string; page: string; heading: string; excerpt: string }

const PAUSE_MS = 120

/** Shows results below the search field; arrows choose one, Enter opens it. */
export function startDocsSearch(): void {
  const form = document.querySelector<HTMLFormElement>('[data-docs-search]')
  const input = form?.querySelector('input')
  if (form == null || input == null) return
  const list = document.createElement('div')
  list.className = 'docs-results'
  list.id = 'docs-results'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Results')
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-controls', list.id)
  input.setAttribute('aria-expanded', 'false')
  input.setAttribute('aria-autocomplete', 'list')
  let wait = 0
  let chosen = -1

  const options = (): HTMLAnchorElement[] => [...list.querySelectorAll('a')]
  const close = (): void => {
    list.remove()
    chosen = -1
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const choose = (next: number): void => {
    const all = options()
    if (all.length === 0) return
    chosen = (next + all.length) % all.length
    for (const [at, option] of all.entries())
      option.setAttribute('aria-selected', String(at === chosen))
    const option = all[chosen]
    option?.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', option?.id ?? '')
  }
  const search = async (): Promise<void> => {
    const query = input.value.trim()
    if (query === '') return close()
    const response = await fetch(
      `/docs/search.json?${new URLSearchParams({ q: query }).toString()}`,
    )
    if (!response.ok) return
    const { hits } = (await response.json()) as { hits: readonly Hit[] }
    if (input.value.trim() !== query) return
    list.replaceChildren(...(hits.length === 0 ? [nothing(query)] : hits.slice(0, 8).map(optionOf)))
    chosen = -1
    form.append(list)
    input.setAttribute('aria-expanded', 'true')
  }
  input.addEventListener('input', () => {
    clearTimeout(wait)
    wait = setTimeout(() => void search().catch(close), PAUSE_MS)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && chosen >= 0) options()[chosen]?.click()
    else return
    event.preventDefault()
  })
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) close()
  })
  // A press on a result must not take the focus, because that closes the list before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault())
}

function optionOf({ href, page, heading, excerpt }: Hit, at: number): HTMLElement {
  const link = document.createElement('a')
  link.href = href
  link.id = `docs-result-${at}`
  link.tabIndex = -1
  link.setAttribute('role', 'option')
  link.setAttribute('aria-selected', 'false')
  const [above, below] = [document.createElement('small'), document.createElement('span')]
  above.textContent = heading === page ? '' : page
  below.textContent = excerpt
  link.append(above, heading, below)
  return link
}

function nothing(query: string): HTMLElement {
  const sentence = document.createElement('p')
  sentence.textContent = `No page mentions “${query}”.`
  return sentence
}
