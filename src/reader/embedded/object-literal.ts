/** Reads the values of object literals in scripts without running them. */

const SPACE = /\s*/y
const NAME = /[A-Za-z_$][\w$]*/y
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy
const CONSTANT = /(?:void 0|!0|!1)/y
const CONSTRUCTOR = /(?:new\s+)?(Object\.create|Object|Array|Map|Set|Date)\s*\(/y
const CONSTANTS: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  '!0': true,
  '!1': false,
}
const MAX_DEPTH = 60
const MAX_VALUES = 200_000
const MAX_INDEX = 10_000

/** Values of the names in scope. */
type Scope = ReadonlyMap<string, unknown>
type Writable = Record<string, unknown>

/** The value of the literal at the beginning of `source`. Expressions without a known value are undefined. */
export function readLiteral(source: string): unknown {
  return new LiteralReader(source, new Map()).value(0)
}

/** The values of a list of arguments, up to its closing parenthesis. */
export function readArguments(source: string): unknown[] {
  return new LiteralReader(source, new Map()).list(')', 0)
}

/**
 * The value that the body of a function returns. Only assignments to members of names in scope are
 * followed; other statements are skipped.
 */
export function readReturned(body: string, scope: Scope): unknown {
  return new LiteralReader(body, scope).returned()
}

/** Every method reads forward only, so reading takes time linear in the source. */
class LiteralReader {
  private at = 0
  private values = 0
  private readonly source: string
  private readonly scope: Scope

  constructor(source: string, scope: Scope) {
    this.source = source
    this.scope = scope
  }

  value(depth: number): unknown {
    this.values += 1
    if (this.values > MAX_VALUES) this.at = this.source.length
    this.take(SPACE)
    const sign = this.source[this.at]
    if (depth > MAX_DEPTH || sign === undefined) return this.skip()
    const read = this.operand(sign, depth)
    this.take(SPACE)
    // The operand of a larger expression.
    return /[,;\])}]|^$/.test(this.source[this.at] ?? '') ? read : this.skip()
  }

  private operand(sign: string, depth: number): unknown {
    if (sign === '"' || sign === "'") return this.text(sign)
    if (sign === '{') return this.object(depth)
    if (sign === '[') {
      this.at += 1
      return this.list(']', depth + 1)
    }
    const constant = this.take(CONSTANT)
    if (constant !== undefined) return CONSTANTS[constant]
    const number = this.take(NUMBER)
    if (number !== undefined) return Number(number)
    return this.constructed(depth) ?? this.named()
  }

  /** Values up to the closing sign, which is read too. */
  list(close: ')' | ']', depth: number): unknown[] {
    const found: unknown[] = []
    while (this.at < this.source.length && !this.closes(close)) {
      const before = this.at
      found.push(this.value(depth))
      this.take(SPACE)
      if (this.source[this.at] === ',') this.at += 1
      else if (this.at === before) this.at += 1
    }
    return found
  }

  returned(): unknown {
    while (this.at < this.source.length) {
      this.take(SPACE)
      const before = this.at
      const name = this.take(NAME)
      if (name === 'return') return this.value(0)
      if (name !== undefined) this.assign(this.scope.get(name))
      this.skip()
      if (this.at === before || /[;,})\]]/.test(this.source[this.at] ?? '')) this.at += 1
    }
    return undefined
  }

  /** Follows `.name=value` and `[index]=value`. */
  private assign(target: unknown): void {
    const isMember = this.source[this.at] === '.'
    const isIndex = this.source[this.at] === '['
    if (!isMember && !isIndex) return
    this.at += 1
    const key = isMember ? this.take(NAME) : this.list(']', 1)[0]
    this.take(SPACE)
    if (this.source[this.at] !== '=' || this.source[this.at + 1] === '=') return
    this.at += 1
    setMember(target, key, this.value(0))
  }

  private object(depth: number): Writable {
    const found = Object.create(null) as Writable
    this.at += 1
    while (this.at < this.source.length && !this.closes('}')) {
      const before = this.at
      const key = this.key()
      this.take(SPACE)
      if (key !== undefined && this.source[this.at] === ':') {
        this.at += 1
        found[key] = this.value(depth + 1)
      } else if (key !== undefined && /[,}]/.test(this.source[this.at] ?? '')) {
        found[key] = this.scope.get(key)
      } else this.skip()
      if (this.source[this.at] === ',' || this.at === before) this.at += 1
    }
    return found
  }

  private key(): string | undefined {
    this.take(SPACE)
    const sign = this.source[this.at]
    if (sign === '"' || sign === "'") return this.text(sign)
    return this.take(NAME) ?? this.take(NUMBER)
  }

  /** `Object.create(null)`, `Array(3)`, `new Map([…])` and the like; undefined for other expressions. */
  private constructed(depth: number): unknown {
    CONSTRUCTOR.lastIndex = this.at
    const found = CONSTRUCTOR.exec(this.source)
    if (found === null) return undefined
    this.at = CONSTRUCTOR.lastIndex
    const [first] = this.list(')', depth + 1)
    if (found[1] === 'Object.create') return Object.create(null) as Writable
    return found[1] === 'Array' ? [] : first
  }

  private named(): unknown {
    const name = this.take(NAME)
    if (name === undefined) return this.skip()
    return Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : this.scope.get(name)
  }

  private text(quote: string): string {
    const from = this.at
    this.endText(quote)
    const inside = this.source.slice(from + 1, this.at - 1)
    if (!inside.includes('\\')) return inside
    const double =
      quote === '"' ? inside : inside.replaceAll(/\\'|"/g, (sign) => (sign === '"' ? '\\"' : "'"))
    try {
      return JSON.parse(`"${double}"`) as string
    } catch {
      return inside
    }
  }

  private endText(quote: string): void {
    for (this.at += 1; this.at < this.source.length; this.at += 1) {
      const sign = this.source[this.at]
      if (sign === '\\') this.at += 1
      else if (sign === quote) break
    }
    this.at += 1
  }

  private closes(sign: string): boolean {
    this.take(SPACE)
    if (this.source[this.at] !== sign) return false
    this.at += 1
    return true
  }

  /** Moves to the next comma, semicolon or closing sign of the same level. */
  private skip(): undefined {
    let depth = 0
    for (; this.at < this.source.length; this.at += 1) {
      const sign = this.source[this.at] ?? ''
      if (sign === '"' || sign === "'" || sign === '`') {
        this.endText(sign)
        this.at -= 1
      } else if ('([{'.includes(sign)) depth += 1
      else if (depth === 0 && ',;)]}'.includes(sign)) return undefined
      else if (')]}'.includes(sign)) depth -= 1
    }
    return undefined
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.source)?.[0]
    if (found === undefined) return undefined
    this.at += found.length
    return found
  }
}

function setMember(target: unknown, key: unknown, value: unknown): void {
  if (Array.isArray(target)) {
    if (typeof key === 'number' && key >= 0 && key < MAX_INDEX) target[key] = value
  } else if (typeof target === 'object' && target !== null && typeof key === 'string')
    (target as Writable)[key] = value
}
