/**
 * Finds the texts of a page with a contrast below 4.5 (WCAG AA), each kind once. Runs in the page:
 * the test sends it as text, so it uses nothing outside itself.
 */
export function lowContrasts(): string[] {
  type Colour = [number, number, number, number]
  type Style = { color: string; backgroundColor: string; visibility: string; display: string }
  type Box = {
    parentElement: Box | null
    tagName: string
    className: string
    placeholder?: string
    value?: string
    getBoundingClientRect(): { width: number }
  }
  const view = globalThis as unknown as {
    document: {
      body: Box
      documentElement: Box
      createTreeWalker(
        root: Box,
        what: number,
      ): { nextNode(): { textContent: string; parentElement: Box } | null }
      querySelectorAll(selector: string): Iterable<Box>
    }
    getComputedStyle(box: Box, pseudo?: string): Style
  }
  const SHOW_TEXT = 4
  const LEAST = 4.5

  function parse(text: string): Colour {
    const numbers = (/\(([^)]+)\)/.exec(text)?.[1] ?? '')
      .replace('srgb', '')
      .split(/[ ,/]+/)
      .filter((part) => part !== '')
      .map(Number)
    const scale = text.startsWith('color(') ? 255 : 1
    return [
      (numbers[0] ?? 0) * scale,
      (numbers[1] ?? 0) * scale,
      (numbers[2] ?? 0) * scale,
      numbers[3] ?? 1,
    ]
  }
  function lay(top: Colour, under: Colour): Colour {
    const mix = (at: 0 | 1 | 2): number => top[at] * top[3] + under[at] * (1 - top[3])
    return [mix(0), mix(1), mix(2), 1]
  }
  function brightness(colour: Colour): number {
    const [red, green, blue] = colour
      .slice(0, 3)
      .map((value) =>
        value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      )
    return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
  }
  function behind(box: Box | null): Colour {
    if (box === null) return [255, 255, 255, 1]
    const own = parse(view.getComputedStyle(box).backgroundColor)
    return own[3] === 1 ? own : lay(own, behind(box.parentElement))
  }
  function contrast(box: Box, colour: string): number {
    const ground = behind(box)
    const [a, b] = [brightness(lay(parse(colour), ground)) + 0.05, brightness(ground) + 0.05]
    return Math.max(a, b) / Math.min(a, b)
  }

  const found = new Map<string, string>()
  function look(box: Box, text: string, pseudo?: string): void {
    const style = view.getComputedStyle(box, pseudo)
    if (
      text.trim() === '' ||
      style.visibility === 'hidden' ||
      box.getBoundingClientRect().width === 0
    )
      return
    const ratio = contrast(box, style.color)
    if (ratio < LEAST)
      found.set(
        `${box.tagName} ${box.className} ${style.color}`,
        `contrast ${ratio.toFixed(2)}: ${box.tagName} "${text.trim().slice(0, 40)}"`,
      )
  }
  const walker = view.document.createTreeWalker(view.document.body, SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    look(node.parentElement, node.textContent)
  for (const field of view.document.querySelectorAll('input[placeholder]'))
    look(field, field.placeholder ?? '', '::placeholder')
  return [...found.values()]
}
