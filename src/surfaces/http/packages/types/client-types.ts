/** The types of the clients, written from the catalog. Git ignores their files. */
import type { Steps } from '../../../../lib/background/sliced.ts'
import { services } from '../../../../vendors/index.ts'
import { actionTypes, gatewayNames } from './action-types.ts'
import { pythonStubs } from './python-stubs.ts'

type Texts = Readonly<Record<string, string>>

/** The text of each generated file of packages/sdk/src. */
export function* sdkTypes(): Steps<Texts> {
  return {
    'actions.d.ts': yield* actionTypes(services),
    'gateway-names.d.ts': gatewayNames(),
  }
}

/** The text of each generated file of packages/python/src. */
export function* pythonTypes(): Steps<Texts> {
  return { 'tollgate_client/catalog.pyi': yield* pythonStubs(services) }
}
