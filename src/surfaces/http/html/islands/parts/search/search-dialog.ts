/** The search of everything: pages of the site, actions, models and documentation. */
import type { NamedPage } from '../../../layout/navigation.ts'
import type { SearchGroup } from '../../../layout/search-result.ts'
import { element } from '../play/element.ts'
import { showOptions } from './search-options.ts'

const PAUSE_MS = 120
const MOST_PAGES = 5

let shown: HTMLDialogElement | undefined

/** Opens the dialog. The page below is inert until it closes. */
export function openSearch(pages: readonly NamedPage[]): void {
  shown ??= createDialog(pages)
  if (shown.open) return
  shown.showModal()
  shown.querySelector('input')?.select()
}

function createDialog(pages: readonly NamedPage[]): HTMLDialogElement {
  const dialog = element('dialog', 'search-dialog')
  dialog.setAttribute('aria-label', 'Search')
  const input = element('input', '')
  const list = element('div', 'search-list')
  const status = element('p', 'search-status')
  status.setAttribute('role', 'status')
  setAttributes(input, {
    type: 'text',
    role: 'combobox',
    placeholder: 'Search actions, models, docs and pages',
    maxlength: '200',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-label': 'Search actions, models, docs and pages',
    'aria-autocomplete': 'list',
    'aria-expanded': 'true',
    'aria-controls': 'search-list',
  })
  setAttributes(list, { id: 'search-list', role: 'listbox', 'aria-label': 'Results' })
  const close = element('button', 'button quiet small', 'Close')
  close.type = 'button'
  close.addEventListener('click', () => dialog.close())
  const head = element('div', 'search-head')
  head.append(input, close)
  dialog.append(head, list, status)
  document.body.append(dialog)

  const options = showOptions(list, input)
  let wait = 0
  let found: readonly SearchGroup[] = []
  const show = (message?: string): void => {
    const query = input.value.trim()
    const groups = [...pageGroup(pages, query), ...(query === '' ? [] : found)]
    const count = groups.reduce((sum, { hits }) => sum + hits.length, 0)
    options.show(groups)
    status.textContent = message ?? countText(count, query)
  }
  const search = async (): Promise<void> => {
    const query = input.value.trim()
    if (query === '') return
    const address = `/search.json?${new URLSearchParams({ q: query }).toString()}`
    const answer = await fetch(address)
    if (!answer.ok) throw new RangeError(`${answer.status}`)
    const { groups } = (await answer.json()) as { groups: readonly SearchGroup[] }
    if (input.value.trim() !== query) return
    found = groups
    show()
  }
  const fail = (): void => {
    found = []
    show('The search did not answer. Type on to try again.')
  }
  input.addEventListener('input', () => {
    clearTimeout(wait)
    const query = input.value.trim()
    // The other results of the former query stay until the next ones arrive.
    if (query === '') found = []
    show(query === '' ? undefined : 'Searching…')
    wait = setTimeout(() => void search().catch(fail), PAUSE_MS)
  })
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown') options.move(1)
    else if (event.key === 'ArrowUp') options.move(-1)
    else if (event.key === 'Enter') options.open()
    else return
    event.preventDefault()
  })
  // A press on the backdrop has the dialog itself as its target.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  show()
  return dialog
}

function countText(count: number, query: string): string {
  if (count === 0) return `Nothing matches “${query}”. Try other words.`
  return `${count === 1 ? '1 result' : `${count} results`}. Arrow keys choose, Enter opens.`
}

/** The pages with a word that begins with each word of the query; all without a query. */
function pageGroup(pages: readonly NamedPage[], query: string): readonly SearchGroup[] {
  const words = query.toLowerCase().split(/\s+/)
  const hits = pages
    .filter(([path, label]) => {
      const names = `${label} ${path}`.toLowerCase().split(/[\s/-]+/)
      return words.every((word) => names.some((name) => name.startsWith(word)))
    })
    .map(([href, label]) => ({ href, label, note: href }))
  const most = query === '' ? hits.length : MOST_PAGES
  return hits.length === 0 ? [] : [{ title: 'Pages', hits: hits.slice(0, most), all: '' }]
}

function setAttributes(target: HTMLElement, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) target.setAttribute(name, value)
}
