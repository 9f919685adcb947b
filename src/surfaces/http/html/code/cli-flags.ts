/** The flags of `./tollgate run` for an input, one per parameter. */
export function cliFlags(input: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(input).map(([name, value]) => {
    if (name === 'max_cost_cents') return `--max-cents ${String(value)}`
    const flag = `--${name.replaceAll('_', '-')}`
    if (value === true) return flag
    if (value === false) return `--no-${name.replaceAll('_', '-')}`
    if (Array.isArray(value) && value.length > 0 && value.every(isPlain))
      return `${flag} ${value.map((item) => shellWord(String(item))).join(' ')}`
    const word = shellWord(typeof value === 'string' ? value : JSON.stringify(value))
    return word.startsWith('-') ? `${flag}=${word}` : `${flag} ${word}`
  })
}

/** A list of these needs no JSON. Text that begins with a dash or a bracket would be read as something else. */
function isPlain(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && /^[^-[{]/.test(value))
}

function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
