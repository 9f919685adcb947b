/** Reads values that an intent gives by the name of the field: `maxItems 40`, `startUrls: [...]`, `limit=5`. */
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import { typeOf } from './slots.ts'

const VALUE = String.raw`(\[[^\]]{0,500}\]|"[^"]{1,400}"|'[^']{1,400}'|true\b|false\b|-?\d[\d.]*(?![\w-])|[^\s,;]{1,200})`

/** The value of the field `name`. Undefined unless the intent names the field like a program. */
export function explicitValue(name: string, schema: JsonSchema, intent: string): unknown {
  const isDistinct = /[a-z][A-Z]|_/.test(name)
  const mark = isDistinct ? String.raw`\s*[:=]?\s*` : String.raw`\s?[:=]\s*`
  if (!intent.includes(name)) return undefined
  const written = new RegExp(String.raw`(?<![\w/.])${RegExp.escape(name)}${mark}${VALUE}`).exec(
    intent,
  )?.[1]
  return written === undefined ? undefined : parse(written.replace(/[.]$/, ''), schema)
}

function parse(text: string, schema: JsonSchema): unknown {
  const type = typeOf(schema)
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  if (type === 'integer' || type === 'number') {
    const number = Number(text)
    return Number.isNaN(number) ? undefined : number
  }
  const values = text.startsWith('[')
    ? text
        .slice(1, -1)
        .split(/[,;]/)
        .map(unquote)
        .filter((value) => value !== '')
    : [unquote(text)]
  if (type === 'array') return values.length === 0 ? undefined : values
  return type === 'string' ? values[0] : undefined
}

function unquote(text: string): string {
  return text.trim().replaceAll(/^["'“]|["'”]$/g, '')
}
