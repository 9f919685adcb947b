/** Reads source files into what the rules need, with the parser of the pinned TypeScript. */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import {
  SyntaxKind,
  type ImportClause,
  type Node,
  type SourceFile as Tree,
} from 'typescript/unstable/ast'
import {
  isCallExpression,
  isExportDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isNamedImports,
  isNewExpression,
  isPropertyAccessExpression,
  isStringLiteral,
} from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'
import type { FunctionSize, Import, ImportedName, SourceFile, Text, Use } from './source.ts'

/** Without a library and without resolving imports: only syntax is read. */
const OPTIONS = { noLib: true, noResolve: true, types: [], allowImportingTsExtensions: true }

/** `names` are paths below `root`. Reads from disk, or from `texts` where given. */
export function parseSources(
  root: string,
  names: readonly string[],
  texts?: Readonly<Record<string, string>>,
): readonly SourceFile[] {
  const config = join(root, 'tsconfig.structure.json')
  const contents = new Map([[config, JSON.stringify({ compilerOptions: OPTIONS, files: names })]])
  for (const [name, text] of Object.entries(texts ?? {})) contents.set(join(root, name), text)
  // `undefined` lets the parser read the file from disk.
  const fs = {
    readFile: (file: string) => contents.get(file),
    fileExists: (file: string) => contents.has(file) || undefined,
  }
  const api = new API({ cwd: root, fs })
  try {
    const project = api.updateSnapshot({ openProject: config }).getProject(config)
    return names.map((name) => {
      const tree = project?.program.getSourceFile(join(root, name))
      if (tree === undefined) throw new RangeError(`The parser does not return ${name}.`)
      return readTree(
        name,
        tree,
        contents.get(join(root, name)) ?? readFileSync(join(root, name), 'utf8'),
      )
    })
  } finally {
    api.close()
  }
}

function readTree(name: string, tree: Tree, source: string): SourceFile {
  const lineAt = lineFinder(source)
  const start = (node: Node): number => node.getStart(tree)
  const lineOf = (node: Node): number => lineAt(start(node))
  const imports: Import[] = []
  const functions: FunctionSize[] = []
  const uses: Use[] = []
  const texts: Text[] = []

  /** Returns the lines of the outermost functions in `node`. */
  const visit = (node: Node, parent: Node): number => {
    const imported = importIn(node)
    if (imported !== null) {
      const target = targetOf(name, imported.from)
      imports.push({ target, names: imported.names, line: lineOf(node) })
    }
    const use = useIn(node)
    if (use !== null) uses.push({ ...use, line: lineOf(node) })
    if (TEXT_KINDS.has(node.kind)) {
      texts.push({ text: source.slice(start(node), node.end), line: lineOf(node) })
    }
    let nested = 0
    node.forEachChild((child) => void (nested += visit(child, node)))
    if (!isFunctionLikeDeclaration(node) || !('body' in node) || node.body === undefined)
      return nested
    const lines = lineAt(node.end) - lineOf(node) + 1
    // The first and last line of a function inside belong to the outer one, too.
    const ownLines = Math.max(1, lines - nested)
    functions.push({ name: functionName(node, parent), line: lineOf(node), lines, ownLines })
    return Math.max(0, lines - 2)
  }
  // A callback that returns a value would stop at the first child.
  tree.forEachChild((child) => void visit(child, tree))
  const lines = source.split('\n').length - (source.endsWith('\n') ? 1 : 0)
  return { name, lines, imports, functions, uses, texts }
}

const TEXT_KINDS = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
])

function lineFinder(source: string): (offset: number) => number {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

interface FoundImport {
  readonly from: string
  readonly names: readonly ImportedName[]
}

function importIn(node: Node): FoundImport | null {
  if (isImportDeclaration(node) && isStringLiteral(node.moduleSpecifier)) {
    return { from: node.moduleSpecifier.text, names: importedNames(node.importClause) }
  }
  if (isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    const from = isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : ''
    return { from, names: [{ name: '*', isType: node.isTypeOnly }] }
  }
  if (isImportTypeNode(node) && isLiteralTypeNode(node.argument)) {
    const from = isStringLiteral(node.argument.literal) ? node.argument.literal.text : ''
    return { from, names: [{ name: '*', isType: true }] }
  }
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) {
    const [from] = node.arguments
    if (from === undefined || !isStringLiteral(from)) return null
    return { from: from.text, names: [{ name: 'default', isType: false }] }
  }
  return null
}

function importedNames(clause: ImportClause | undefined): readonly ImportedName[] {
  if (clause === undefined) return []
  const isType = clause.phaseModifier === SyntaxKind.TypeKeyword
  const names: ImportedName[] = clause.name === undefined ? [] : [{ name: 'default', isType }]
  const bindings = clause.namedBindings
  if (bindings === undefined) return names
  if (!isNamedImports(bindings)) return [...names, { name: '*', isType }]
  const named = bindings.elements.map((element) => ({
    name: (element.propertyName ?? element.name).text,
    isType: isType || element.isTypeOnly,
  }))
  return [...names, ...named]
}

function targetOf(importer: string, from: string): string {
  return from.startsWith('.') ? normalize(join(dirname(importer), from)) : from
}

function functionName(node: Node, parent: Node): string {
  for (const owner of [node, parent]) {
    if ('name' in owner && isNamed(owner.name)) return owner.name.text
  }
  return '(anonymous)'
}

function isNamed(name: unknown): name is { readonly text: string } {
  return (
    typeof name === 'object' && name !== null && 'text' in name && typeof name.text === 'string'
  )
}

function useIn(node: Node): Omit<Use, 'line'> | null {
  if (isCallExpression(node) || isNewExpression(node)) {
    const name = dottedName(node.expression)
    const argumentCount = node.arguments?.length ?? 0
    return name === null
      ? null
      : { name, kind: isCallExpression(node) ? 'call' : 'new', argumentCount }
  }
  if (!isPropertyAccessExpression(node)) return null
  const name = dottedName(node)
  return name === null ? null : { name, kind: 'member', argumentCount: 0 }
}

/** `a.b.c` for a chain of names, also one that begins with `this`; null for anything else. */
function dottedName(node: Node): string | null {
  if (isIdentifier(node)) return node.text
  if (node.kind === SyntaxKind.ThisKeyword) return 'this'
  if (!isPropertyAccessExpression(node)) return null
  const left = dottedName(node.expression)
  return left === null ? null : `${left}.${node.name.text}`
}
