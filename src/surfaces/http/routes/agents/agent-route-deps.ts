import type { Catalog } from '../../../../catalog/index.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import type { KeyDeps } from '../../../../keys/key-deps.ts'

export type AgentRouteDeps = {
  readonly keys: KeyDeps
  readonly validator: Validator
  readonly catalog: Pick<Catalog, 'allActions'>
}
