/**
 * The JSON text of a parsed value in the canonical form of RFC 8785. Equal values have equal texts,
 * independent of the order of members and of white space. Takes values of any depth.
 */
export function canonicalJson(value: unknown): string {
  let text = ''
  // Texts to append and values to write, last first. Recursion would overflow on deep values.
  const left: Todo[] = [{ value }]
  for (let todo = left.pop(); todo !== undefined; todo = left.pop()) {
    if (typeof todo === 'string') text += todo
    else if (Array.isArray(todo.value)) pushElements(left, todo.value)
    else if (typeof todo.value === 'object' && todo.value !== null)
      pushMembers(left, todo.value as Readonly<Record<string, unknown>>)
    // JSON.stringify writes numbers and strings as RFC 8785 demands.
    else text += JSON.stringify(todo.value) ?? 'null'
  }
  return text
}

type Todo = string | { readonly value: unknown }

function pushElements(left: Todo[], elements: readonly unknown[]): void {
  left.push(']')
  for (let place = elements.length - 1; place >= 0; place -= 1) {
    left.push({ value: elements[place] })
    if (place > 0) left.push(',')
  }
  left.push('[')
}

function pushMembers(left: Todo[], members: Readonly<Record<string, unknown>>): void {
  // The default order of `sort` is the one of RFC 8785: by UTF-16 code units.
  const names = Object.keys(members)
    .filter((name) => members[name] !== undefined)
    .sort()
  left.push('}')
  for (let place = names.length - 1; place >= 0; place -= 1) {
    const name = names[place] as string
    left.push({ value: members[name] }, `${place > 0 ? ',' : ''}${JSON.stringify(name)}:`)
  }
  left.push('{')
}
