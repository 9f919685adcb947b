/** Makes the shortest text that fits a simple regular expression. */

const CLASSES: Readonly<Record<string, string>> = { d: '0', w: 'a', s: ' ', D: 'a', W: '-', S: 'a' }
const MOST_CHARACTERS = 2_000
/** Tried for a class of characters. */
const CHARACTERS = 'a0A1-_. +@/'

/** Null for an expression with anything else than characters, classes, groups and counts. */
export function textForPattern(pattern: string): string | null {
  let rest = pattern
  const whole = readChoice()
  return rest === '' ? whole : null

  function readChoice(): string | null {
    const first = readSequence()
    while (rest.startsWith('|')) {
      rest = rest.slice(1)
      if (readSequence() === null) return null
    }
    return first
  }

  function readSequence(): string | null {
    let text = ''
    while (rest !== '' && !/^[|)]/.test(rest)) {
      const part = readPart()
      if (part === null) return null
      const [count = '', low, star] = /^(?:\{(\d+)(?:,\d*)?\}|([*?])|\+)\??/.exec(rest) ?? []
      rest = rest.slice(count.length)
      const times = low === undefined ? (star === undefined ? 1 : 0) : Number(low)
      if (part.length * times + text.length > MOST_CHARACTERS) return null
      text += part.repeat(times)
    }
    return text
  }

  function readPart(): string | null {
    const [group] = /^\((?:\?:|\?<\w+>)?(?!\?)/.exec(rest) ?? []
    if (group !== undefined) {
      rest = rest.slice(group.length)
      const inner = readChoice()
      if (!rest.startsWith(')')) return null
      rest = rest.slice(1)
      return inner
    }
    const [atom = ''] = /^(?:\[(?:\\[^]|[^\]\\])*\]|\\[^]|[^()*+?{}])/.exec(rest) ?? []
    rest = rest.slice(atom.length)
    if (atom === '^' || atom === '$') return ''
    if (atom === '.') return 'a'
    if (atom.startsWith('[')) return oneOfClass(atom)
    if (!atom.startsWith('\\')) return atom === '' ? null : atom
    const name = atom.slice(1)
    return CLASSES[name] ?? (/\w/.test(name) ? null : name)
  }
}

function oneOfClass(atom: string): string | null {
  const form = new RegExp(atom, 'u')
  return [...CHARACTERS, ...atom.slice(1, -1)].find((one) => form.test(one)) ?? null
}
