import type { Fields } from '../../../lib/json-fields.ts'

/** An operation in the form of OpenAPI 3, for each version of the document. */
export type Operation = {
  /** Such as "GET /pets/{id}". */
  readonly name: string
  /** The operationId, or empty. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly fields: Fields
  readonly parameters: readonly Fields[]
  /** Servers of the operation or of its path. Empty if those of the document apply. */
  readonly servers: readonly Fields[]
}
