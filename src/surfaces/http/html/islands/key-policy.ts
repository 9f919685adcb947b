/** Edits patterns as chips with completion, and shows what they allow while they change. */
import { compilePatterns, OF_OWN_JOBS, PATTERN } from '../../../../keys/policy/patterns.ts'

const form = document.querySelector<HTMLElement>('[data-policy]')
const names = [...document.querySelectorAll<HTMLOptionElement>('#action-names option')].map(
  ({ value }) => value,
)
const VALID = new RegExp(PATTERN)
const NAMES_SHOWN = 60

type Editor = { readonly patterns: () => readonly string[] }

if (form !== null) {
  const [allow, deny] = ['allow', 'deny'].map((name) => editorOf(name, showReach))
  const inherited = namesAllowedAbove()
  function showReach(): void {
    if (allow === undefined || deny === undefined) return
    const allows = createFilter(allow.patterns(), deny.patterns())
    show(inherited.filter(allows))
  }
}

/** The names that the keys above allow; all without keys above. */
function namesAllowedAbove(): readonly string[] {
  const listed = document.querySelector<HTMLElement>('[data-reach]')?.dataset['above']
  return listed === undefined ? names : listed.split(' ').filter((name) => name !== '')
}

/** Puts chips and a field with completion in place of the text field, which still holds the value. */
function editorOf(name: string, onChange: () => void): Editor {
  const area = document.querySelector<HTMLTextAreaElement>(`#${name}`)
  if (area === null) return { patterns: () => [] }
  const patterns = (): string[] => area.value.split(/[\s,]+/).filter((text) => text !== '')
  const box = document.createElement('div')
  box.className = 'pattern-box'
  const input = document.createElement('input')
  input.setAttribute('list', 'action-names')
  input.className = 'mono'
  input.spellcheck = false
  input.autocomplete = 'off'
  for (const attribute of ['aria-describedby', 'aria-invalid']) {
    const value = area.getAttribute(attribute)
    if (value !== null) input.setAttribute(attribute, value)
  }
  const label = document.querySelector<HTMLLabelElement>(`label[for="${name}"]`)
  input.id = `${name}-pattern`
  if (label !== null) label.htmlFor = input.id
  const set = (next: readonly string[]): void => {
    area.value = [...new Set(next)].join('\n')
    draw()
    onChange()
  }
  const add = (): void => {
    const typed = input.value.split(/[\s,]+/).filter((text) => text !== '')
    input.value = ''
    if (typed.length > 0) set([...patterns(), ...typed])
  }
  function draw(): void {
    for (const chip of box.querySelectorAll('.chip')) chip.remove()
    for (const pattern of patterns()) {
      const chip = document.createElement('button')
      chip.type = 'button'
      chip.className = 'chip'
      chip.textContent = `${pattern} ×`
      chip.setAttribute('aria-label', `Remove ${pattern}`)
      chip.addEventListener('click', () => {
        set(patterns().filter((one) => one !== pattern))
        input.focus()
      })
      input.before(chip)
    }
    input.placeholder =
      patterns().length === 0 ? (area?.placeholder.split('\n')[0] ?? '') : 'Add a pattern'
  }
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && input.value.trim() !== '') {
      event.preventDefault()
      add()
    }
    const last = patterns().at(-1)
    if (event.key === 'Backspace' && input.value === '' && last !== undefined)
      set(patterns().slice(0, -1))
  })
  input.addEventListener('change', add)
  area.form?.addEventListener('submit', add)
  box.append(input)
  area.after(box)
  area.hidden = true
  draw()
  return { patterns }
}

/** Whether a name is allowed, as the gateway decides. Incomplete patterns match nothing. */
function createFilter(
  allow: readonly string[],
  deny: readonly string[],
): (name: string) => boolean {
  const [allowed, denied] = [allow, deny].map((texts) =>
    compilePatterns(texts.filter((text) => VALID.test(text))),
  )
  return (name) =>
    denied?.find(name) === null &&
    (allow.length === 0 || OF_OWN_JOBS.includes(name) || allowed?.find(name) !== null)
}

function show(reached: readonly string[]): void {
  const place = document.querySelector<HTMLElement>('[data-reach]')
  const list = place?.querySelector('.reach-names')
  const summary = place?.querySelector('summary')
  if (list == null || summary == null) return
  summary.textContent =
    reached.length === names.length
      ? `Can call all ${names.length} actions`
      : `Can call ${reached.length} of ${names.length} actions`
  const further = reached.length - NAMES_SHOWN
  list.replaceChildren(
    ...reached.slice(0, NAMES_SHOWN).map((name) => {
      const item = document.createElement('li')
      const code = document.createElement('code')
      code.textContent = name
      item.append(code)
      return item
    }),
  )
  if (further <= 0) return
  const item = document.createElement('li')
  item.textContent = `and ${further} more`
  list.append(item)
}
