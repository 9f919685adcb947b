/** The end of the object or string literal at `from`. */
export function endOfValue(script: string, from: number): number {
  let depth = 0
  let quote = ''
  for (let at = from; at < script.length; at += 1) {
    const sign = script[at] ?? ''
    if (quote !== '') {
      if (sign === '\\') at += 1
      else if (sign === quote) quote = ''
    } else if (sign === '"' || (sign === "'" && depth === 0)) quote = sign
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    if (quote === '' && depth === 0) return at + 1
  }
  return script.length
}
