/** Outputs of paid calls that are files: which fields of an answer hold one, and what keeps it for the account. */
import type { Owner } from '../../lib/owner.ts'
import type { Data } from './outcome.ts'

/** A field of an answer that holds a file: a link to it, a `data:` URL, or its bytes as base64. */
export type FileField = {
  /** Its place under `data`: names with dots between, `[]` for every item of a list, as in "data[].b64_json". */
  readonly field: string
  /** What the file is called, without an ending. */
  readonly filename: string
  /** What it is, where who sends the bytes does not say. */
  readonly mime: string
  /** What the field is called once it holds a link; its own name when left out. */
  readonly linkField?: string
}

/** One output, ready to be kept. */
export type Output = {
  readonly owner: Owner
  /** The same whenever the same output is kept again: there is one file of it. */
  readonly id: string
  readonly filename: string
  readonly mime: string
  /** The action that made it, such as "render/scrape". */
  readonly source: string
  /** A link, a `data:` URL or base64. */
  readonly content: string
}

export type StoredFile = {
  readonly file_id: string
  readonly filename: string
  readonly mime: string
  readonly size: number
  readonly sha256: string
  readonly get_url: string
  readonly expires_at: string
}

/** Stores an output among the account's files. Throws AppError; then nothing is kept. */
export type StoreOutput = (output: Output, signal: AbortSignal) => Promise<StoredFile>

/** A place of a kept field in one answer. */
export type OutputPlace = {
  readonly field: FileField
  readonly path: readonly (string | number)[]
  readonly content: string
}

/** Where an answer holds files: every place of the fields that has a text in it. */
export function findOutputs(data: Data, fields: readonly FileField[]): OutputPlace[] {
  return fields.flatMap((field) => {
    const found = placesAt(data, field.field.replaceAll('[]', '.[]').split('.'), [])
    return found.map(({ path, content }) => ({ field, path, content }))
  })
}

function placesAt(
  value: unknown,
  [part, ...rest]: readonly string[],
  path: OutputPlace['path'],
): Pick<OutputPlace, 'path' | 'content'>[] {
  if (part === undefined)
    return typeof value === 'string' && value !== '' ? [{ path, content: value }] : []
  if (part === '[]')
    return Array.isArray(value)
      ? value.flatMap((item, index) => placesAt(item, rest, [...path, index]))
      : []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return []
  return placesAt((value as Data)[part], rest, [...path, part])
}

/** The answer with a link at the place; what is not on the way there is shared with the answer before. */
export function insertLink<Value>(
  value: Value,
  { path: [part, ...rest], field }: Pick<OutputPlace, 'path' | 'field'>,
  link: string,
): Value {
  if (part === undefined) return link as Value
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      index === part ? insertLink(item, { path: rest, field }, link) : item,
    ) as Value
  const { [part]: inside, ...others } = value as Record<string, unknown>
  if (rest.length > 0 || field.linkField === undefined)
    return {
      ...(value as object),
      [part]: insertLink(inside, { path: rest, field }, link),
    } as Value
  return { ...others, [field.linkField]: link } as Value
}

/** Such as "data[0].url". */
export function formatPath(
  { path, field: { linkField } }: Pick<OutputPlace, 'path' | 'field'>,
  isLinked: boolean,
): string {
  const named = isLinked && linkField !== undefined ? [...path.slice(0, -1), linkField] : path
  return named.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
    '',
  )
}
