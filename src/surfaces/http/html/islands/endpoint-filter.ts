/** Filters the endpoints of an action while the reader types. */
const list = document.querySelector<HTMLElement>('[data-endpoint-list]')
const input = list?.querySelector<HTMLInputElement>('input[type="search"]')

if (list && input && input.defaultValue === '') {
  const groups = [...list.querySelectorAll<HTMLDetailsElement>('details.endpoint-group')].map(
    (group) => ({
      group,
      wasOpen: group.open,
      items: [...group.querySelectorAll('li')].map((item) => ({
        item,
        text: (item.textContent ?? '').toLowerCase(),
      })),
      count: group.querySelector('summary span'),
    }),
  )
  const all = groups.reduce((sum, { items }) => sum + items.length, 0)
  const status = list.querySelector('[data-count]')

  const filter = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    let found = 0
    for (const { group, wasOpen, items, count } of groups) {
      let shown = 0
      for (const { item, text } of items) {
        item.hidden = !words.every((word) => text.includes(word))
        if (!item.hidden) shown += 1
      }
      group.hidden = shown === 0
      group.open = words.length === 0 ? wasOpen : true
      if (count !== null) count.textContent = String(shown)
      found += shown
    }
    if (status !== null)
      status.textContent =
        words.length === 0
          ? `${all.toLocaleString('en')} endpoints`
          : `${found.toLocaleString('en')} of ${all.toLocaleString('en')} endpoints`
  }
  input.addEventListener('input', filter)
  input.form?.addEventListener('submit', (event) => event.preventDefault())
  if (input.value !== '') filter()
}

/** A link to a platform opens its list. */
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target instanceof HTMLDetailsElement) target.open = true
}
addEventListener('hashchange', openTarget)
openTarget()
