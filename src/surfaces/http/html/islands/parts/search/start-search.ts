/** Opens the search dialog with "/", Ctrl-K or ⌘K, and with the link in the header. Loads it at its first use. */
export function startSearch(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-search]')]
  const open = async (): Promise<void> => {
    const link = links.find((one) => one.checkVisibility?.() ?? true) ?? links[0]
    try {
      const { openSearch } = await import('./search-dialog.ts')
      openSearch(JSON.parse(link?.dataset['search'] ?? '[]'))
    } catch {
      // The script did not arrive: the catalog has a search of its own.
      location.assign('/catalog')
    }
  }
  for (const link of links)
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      void open()
    })
  document.addEventListener('keydown', (event) => {
    if (!isShortcut(event) || links.length === 0) return
    event.preventDefault()
    void open()
  })
}

function isShortcut({
  key,
  ctrlKey,
  metaKey,
  altKey,
  target,
  isComposing,
}: KeyboardEvent): boolean {
  if (isComposing || altKey) return false
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k'
  const isTyping =
    target instanceof HTMLElement &&
    (target.matches('input, textarea, select') || target.isContentEditable)
  return key === '/' && !isTyping
}
