/** Marks the heading on top of the window in the contents of the page. */
export function followHeadings(): void {
  const links = new Map<string, HTMLAnchorElement>()
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-contents] a'))
    links.set(decodeURIComponent(link.hash.slice(1)), link)
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? [])
  if (headings.length === 0) return
  const mark = (): void => {
    const passed = headings.findLast((heading) => heading.getBoundingClientRect().top < 120)
    const current = (passed ?? headings[0])?.id
    for (const [id, link] of links)
      if (id === current) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
  }
  let isWaiting = false
  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return
      isWaiting = true
      requestAnimationFrame(() => {
        isWaiting = false
        mark()
      })
    },
    { passive: true },
  )
  mark()
}
