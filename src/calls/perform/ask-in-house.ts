import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Source } from '../../catalog/vocabulary/define.ts'
import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import type { Data, Outcome } from '../../catalog/vocabulary/outcome.ts'
import { toOutcome } from './ask-vendor.ts'
import type { Work } from './call-scope.ts'
import { applyOwnership, toOwnInput, type OwnedCall } from './ownership.ts'

/** Runs the handler of an in-house lane and reads its answer like a vendor's reply. */
export async function askInHouse(
  handler: InHouseHandler,
  work: Work,
  source: Pick<Source, 'reply' | 'outcome'>,
  tools: CallTools,
): Promise<Outcome> {
  const { deps, input } = work
  const owned = findOwnedCall(work)
  const ownInput = owned === null ? input : await toOwnInput(deps.database, owned)
  const reply = { status: 200, headers: {}, body: await handler(ownInput, tools) }
  return toOutcome(
    work,
    source,
    owned === null ? reply : await applyOwnership(deps.database, owned, reply, deps.now()),
  )
}

/** Only parts of IN_HOUSE store what they create like a vendor. Other handlers, such as those of crawls, separate owners themselves. */
function findOwnedCall({ scope, entry: { service, action }, input }: Work): OwnedCall | null {
  if (action.kind !== 'call' || action.inHousePart === undefined) return null
  if (action.ownership === undefined) return null
  const { chosenName, ...ownership } = action.ownership
  const checksNames = chosenName !== undefined && ownership.inHouseChecksNames !== true
  const { accountId } = scope.owner
  // At a vendor all accounts share the operator's names. Here each account has its own.
  const ownName = (chosen: Data): string | undefined => {
    const name = chosenName?.(chosen)
    return name === undefined ? undefined : `${accountId}/${name}`
  }
  return {
    action,
    ownership: checksNames ? { ...ownership, chosenName: ownName } : ownership,
    owner: { ...scope.owner, service: service.id },
    input,
  }
}
