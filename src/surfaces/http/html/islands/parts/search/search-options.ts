import type { SearchGroup, SearchHit } from '../../../layout/search-result.ts'
import { element } from '../play/element.ts'

export type Options = {
  /** Replaces the options and chooses the first. */
  readonly show: (groups: readonly SearchGroup[]) => void
  /** Chooses the next or previous option; the first follows the last. */
  readonly move: (by: 1 | -1) => void
  /** Follows the link of the chosen option. */
  readonly open: () => void
}

/** The options of a combobox: links in groups, of which the input names the chosen one. */
export function showOptions(list: HTMLElement, input: HTMLInputElement): Options {
  let chosen = 0
  const all = (): HTMLAnchorElement[] => [...list.querySelectorAll('a')]
  const choose = (at: number): void => {
    const options = all()
    chosen = options.length === 0 ? 0 : (at + options.length) % options.length
    for (const [place, option] of options.entries())
      option.setAttribute('aria-selected', String(place === chosen))
    const option = options[chosen]
    if (option === undefined) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', option.id)
    option?.scrollIntoView({ block: 'nearest' })
  }
  return {
    show: (groups) => {
      list.replaceChildren(...groups.map(groupOf))
      for (const [at, option] of all().entries()) option.id = `search-option-${at}`
      choose(0)
      list.hidden = groups.length === 0
      input.setAttribute('aria-expanded', String(groups.length > 0))
    },
    move: (by) => choose(chosen + by),
    open: () => all()[chosen]?.click(),
  }
}

function groupOf({ title, hits, all }: SearchGroup, at: number): HTMLElement {
  const group = element('div', '')
  const heading = element('p', 'search-group', title)
  heading.id = `search-group-${at}`
  group.setAttribute('role', 'group')
  group.setAttribute('aria-labelledby', heading.id)
  group.append(heading, ...hits.map((hit) => optionOf(hit)))
  if (all !== '')
    group.append(optionOf({ href: all, label: `More ${title.toLowerCase()}`, note: '' }, 'more'))
  return group
}

function optionOf({ href, label, note }: SearchHit, look = ''): HTMLElement {
  const option = element('a', look)
  option.href = href
  option.tabIndex = -1
  option.setAttribute('role', 'option')
  option.append(element('span', '', label), element('small', '', note))
  return option
}
