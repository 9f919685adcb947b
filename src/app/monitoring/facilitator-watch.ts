import type { Logger } from 'pino'
import {
  askSupported,
  type FacilitatorDeps,
  type FacilitatorState,
} from '../../upstream/sell/facilitator.ts'

export type FacilitatorWatch = { stop(): void }

const AGAIN_MS = { serves: 3_600_000, lacks: 600_000, unreachable: 60_000 } as const

/** Asks the facilitator which networks it serves, now and periodically, and logs changes. Runs in the background. */
export function watchFacilitator(
  facilitator: FacilitatorDeps,
  network: string,
  logger: Logger,
): FacilitatorWatch {
  let last: FacilitatorState['kind'] | null = null
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function look(): Promise<void> {
    const state = await askSupported(facilitator, network)
    if (isStopped) return
    if (state.kind !== last) logState(logger, { url: facilitator.url, network, state })
    last = state.kind
    timer = setTimeout(() => void look(), AGAIN_MS[state.kind]).unref()
  }

  void look()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function logState(
  logger: Logger,
  {
    url,
    network,
    state,
  }: { readonly url: string; readonly network: string; readonly state: FacilitatorState },
): void {
  const facts = { facilitator: url, network }
  if (state.kind === 'serves') logger.info(facts, 'the x402 facilitator serves this network')
  else if (state.kind === 'lacks')
    logger.error(
      { ...facts, served: state.served },
      'the x402 facilitator does not serve this network, so x402 payments cannot be accepted: set SELL_FACILITATOR_URL to one that does',
    )
  else
    logger.warn(
      { ...facts, reason: state.reason },
      'the x402 facilitator could not be reached to list its networks',
    )
}
