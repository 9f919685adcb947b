const CONFIRM_MS = 2000

/** Adds a copy button to every code card, and starts buttons with data-copy. */
export function startCopyButtons(root: ParentNode = document): void {
  for (const card of root.querySelectorAll<HTMLElement>('[data-code]')) addButton(card)
  for (const button of root.querySelectorAll<HTMLElement>('button[data-copy]'))
    button.addEventListener('click', () => void copy(button, button.dataset['copy'] ?? ''))
}

function addButton(card: HTMLElement): void {
  card.append(copyButton(() => shownCode(card)))
}

/** A button for the corner of a code card. */
export function copyButton(textOf: () => string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.setAttribute('aria-label', 'Copy the code')
  const label = document.createElement('span')
  label.className = 'copy-label'
  label.textContent = 'Copy'
  button.append(icon(), label)
  button.addEventListener('click', () => void copy(button, textOf()))
  return button
}

function shownCode(card: HTMLElement): string {
  const shown = [...card.querySelectorAll<HTMLElement>('.code-panel')].find(
    (panel) => panel.checkVisibility?.() ?? true,
  )
  return (shown ?? card).querySelector('pre')?.textContent.trimEnd() ?? ''
}

/** Copies the text, and confirms it on the button. */
export async function copy(button: HTMLElement, text: string, done = 'Copied'): Promise<void> {
  const label = button.querySelector('.copy-label') ?? button
  const before = label.textContent
  label.textContent = (await write(text)) ? done : 'Press Ctrl+C'
  setTimeout(() => void (label.textContent = before), CONFIRM_MS)
}

/** Over plain http, browsers have no clipboard interface; a selected text field still copies. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.className = 'visually-hidden'
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}

const SVG = 'http://www.w3.org/2000/svg'
const SHAPES = [
  'M5.5 5.5h7a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1z',
  'M3.5 10.5a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1',
]

function icon(): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  for (const shape of SHAPES) {
    const path = document.createElementNS(SVG, 'path')
    path.setAttribute('d', shape)
    svg.append(path)
  }
  return svg
}
