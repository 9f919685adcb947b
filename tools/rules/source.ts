/** The facts about a file that rules use. */

export interface ImportedName {
  /** The exported name; `*` for a namespace, `default` for a default or dynamic import. */
  readonly name: string
  readonly isType: boolean
}

export interface Import {
  /** A path below the root for a relative import, otherwise the name of the package. */
  readonly target: string
  readonly names: readonly ImportedName[]
  readonly line: number
}

export interface FunctionSize {
  readonly name: string
  readonly line: number
  readonly lines: number
  /** Lines without those of the functions inside it. */
  readonly ownLines: number
}

/** A dotted name such as `process.env.PATH`, or a name that is called or constructed. */
export interface Use {
  readonly name: string
  readonly kind: 'member' | 'call' | 'new'
  /** Of a call or construction. */
  readonly argumentCount: number
  readonly line: number
}

export interface Text {
  readonly text: string
  readonly line: number
}

export interface SourceFile {
  /** Below the root, with slashes. */
  readonly name: string
  readonly lines: number
  readonly imports: readonly Import[]
  readonly functions: readonly FunctionSize[]
  readonly uses: readonly Use[]
  /** Strings and the fixed pieces of templates. */
  readonly texts: readonly Text[]
}

export interface Rule {
  readonly name: string
  /** One line for each violation: `file:line: what is wrong`. */
  find(files: readonly SourceFile[]): readonly string[]
}

export function isTest(name: string): boolean {
  return /\.test\.ts$|\/testing\/|^test\//.test(name)
}

export function isBelow(name: string, folder: string): boolean {
  return name.startsWith(`${folder}/`)
}
