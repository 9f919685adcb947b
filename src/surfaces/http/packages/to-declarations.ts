/**
 * The types of a TypeScript module without a compiler, which a gateway does not install. It relies on the
 * format of the sources: a statement begins at the margin and a member of a class after two spaces. Exported
 * functions and members have explicit types. A test compares the result with that of the compiler.
 */
import { withJavaScriptNames } from './to-javascript.ts'

/** Throws RangeError at an export that it cannot declare. */
export function toDeclarations(source: string): string {
  const declared = splitAt(source, /^(?=[a-z/@])/m).map(declareStatement)
  return withJavaScriptNames(`${declared.filter((text) => text !== '').join('\n')}\nexport {}\n`)
}

/** The parts of a text, each with the comment before it. */
function splitAt(text: string, start: RegExp): string[] {
  const parts: string[] = []
  for (const part of text.split(new RegExp(start, 'gm'))) {
    const last = parts.at(-1)
    if (last !== undefined && /^\s*\/[*/][^\n]*(?:\n\s*(?:\*|\/\/)[^\n]*)*$/.test(last.trimEnd()))
      parts[parts.length - 1] = last + part
    else parts.push(part)
  }
  return parts
}

function declareStatement(statement: string): string {
  const [, comment = '', text = ''] =
    /^((?:\s*\/(?:\*[\s\S]*?\*\/|\/[^\n]*)\n)*)([\s\S]*)$/.exec(statement) ?? []
  const declaration = declare(text.trimEnd())
  return declaration === '' ? '' : comment + declaration
}

function declare(text: string): string {
  if (/^import\b/.test(text))
    return text.replaceAll(/\btype /g, '').replace(/^import /, 'import type ')
  if (/^(?:export )?(?:type|declare)\b|^export \{/.test(text)) return text
  if (!text.startsWith('export ')) return ''
  if (/^export (?:async )?function[ *]/.test(text))
    return `export declare ${withoutBody(text.slice('export '.length))}`
  if (text.startsWith('export class ')) return declareClass(text)
  const [, name, type] =
    /^export const (\w+): ([^\n]+) =\s/.exec(text) ??
    /^export const (\w+) = [^\n]+ as ([^\n]+)$/.exec(text) ??
    []
  if (name === undefined || type === undefined)
    throw new RangeError(`An export needs an explicit type: ${text.slice(0, 80)}`)
  return `export declare const ${name}: ${type}`
}

function declareClass(text: string): string {
  const [, head = '', body = ''] = /^export ([^\n]+)\n([\s\S]*)\n\}$/.exec(text) ?? []
  const members = splitAt(body, /^(?= {2}[a-z#*/])/m).map((member) =>
    declareMember(member.trimEnd()),
  )
  // A class with private members accepts no other object of its shape.
  const secret = /^ {2}(?:readonly )?#/m.test(body) ? '  #private\n' : ''
  return `export declare ${head}\n${secret}${members.filter((member) => member !== '').join('\n')}\n}`
}

function declareMember(member: string): string {
  if (/^ {2}(?:readonly )?#/m.test(member)) return ''
  return member.includes(' {\n') ? withoutBody(member) : member.replace('override ', '')
}

/** The head of a function: a parameter with a default is optional, and a destructured one has a name. */
function withoutBody(text: string): string {
  const head = text.slice(0, text.indexOf(' {\n'))
  return head
    .replaceAll(/\basync |(?<=\bfunction)\*/g, '')
    .replaceAll(/\{[^{}\n]*\}: /g, 'options: ')
    .replaceAll(/(\w+): ([^=\n]+?) = [^,\n]+?(?=,?\n|\)|, )/g, '$1?: $2')
}
