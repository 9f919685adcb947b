/** Files in the answers of paid calls: which fields contain them, and how they are stored. */
import type { Owner } from '../../lib/owner.ts'
import type { Data } from './outcome.ts'

/** A field of an answer that contains a file: a link, a `data:` URL or base64. */
export type FileField = {
  /**
   * Its path under `data`: dots between names, `[]` for every item of a list, such as
   * "data[].b64_json".
   */
  readonly field: string
  /** The name of the stored file, without extension. */
  readonly filename: string
  /** The type of the file if the sender does not state it. */
  readonly mime: string
  /** The name of the field once it contains a link; unchanged by default. */
  readonly linkField?: string
  /**
   * The file is deleted when its link expires. The object around the field gets its link and id, and
   * the answer never contains the file itself.
   */
  readonly isTemporary?: boolean
}

/** One output, ready to store. */
export type Output = {
  readonly owner: Owner
  /** Identifies the output: storing it again does not create a second file. */
  readonly id: string
  readonly filename: string
  readonly mime: string
  /** The action that created it, such as "render/scrape". */
  readonly source: string
  /** A link, a `data:` URL or base64. */
  readonly content: string
  /** The file is deleted when its link expires. */
  readonly isTemporary?: boolean
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

/** Stores an output among the account's files. Throws AppError and then stores nothing. */
export type StoreOutput = (output: Output, signal: AbortSignal) => Promise<StoredFile>

/** The place of a file field in one answer. */
export type OutputPlace = {
  readonly field: FileField
  readonly path: readonly (string | number)[]
  readonly content: string
}

/** Finds every non-empty text in the file fields of an answer. */
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

/**
 * Returns a copy of the answer with a link at the place. Untouched parts are shared with the
 * original.
 */
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

/** Returns a copy of the answer in which `fields` replace the file at the place, in the object around it. */
export function replaceFile<Value>(
  value: Value,
  [part, ...rest]: OutputPlace['path'],
  fields: Data,
): Value {
  if (part === undefined) return value
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      index === part ? replaceFile(item, rest, fields) : item,
    ) as Value
  const { [part]: inside, ...others } = value as Record<string, unknown>
  return (
    rest.length === 0
      ? { ...others, ...fields }
      : { ...others, [part]: replaceFile(inside, rest, fields) }
  ) as Value
}

/** Formats a place such as "data[0].url". */
export function formatPath(
  { path, field: { linkField } }: Pick<OutputPlace, 'path' | 'field'>,
  isLinked: boolean,
): string {
  const parts = isLinked && linkField !== undefined ? [...path.slice(0, -1), linkField] : path
  return parts.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
    '',
  )
}
