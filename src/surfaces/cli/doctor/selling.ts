import type { Config } from '../../../app/settings/config.ts'
import { facilitatorState, sellingNetwork } from '../../../app/wiring/selling.ts'
import { broken, missing, ok, type Check } from './check.ts'

/** Reports whether callers without an account can pay per call, and whether the facilitator serves the network. */
export async function checkSelling(
  { sell }: Pick<Config, 'sell'>,
  now: () => number,
): Promise<Check> {
  const name = 'selling per call'
  const { tempoAddress, evmAddress, facilitatorUrl, networks } = sell
  if (tempoAddress === null && evmAddress === null)
    return missing(
      name,
      'not set up: every call needs a key',
      'Set SELL_EVM_ADDRESS or SELL_TEMPO_ADDRESS (docs/payments.md).',
    )
  const where = networks === 'test' ? ' on test networks, for simulated answers' : ''
  const methods = [
    ...(tempoAddress === null ? [] : ['MPP on Tempo']),
    ...(evmAddress === null ? [] : ['x402 on Base']),
  ].join(', ')
  if (evmAddress === null) return ok(name, `${methods}${where}`)
  const state = await facilitatorState(sell, now)
  if (state === null || facilitatorUrl === null)
    return broken(
      name,
      'SELL_EVM_ADDRESS is set without a facilitator: no call is sold by x402',
      'Set SELL_FACILITATOR_URL to a facilitator that serves Base (docs/payments.md).',
    )
  const network = sellingNetwork(sell)
  const { host } = new URL(facilitatorUrl)
  if (state.kind === 'unreachable')
    return broken(
      name,
      `${methods}${where}; could not read what ${host} serves: ${state.reason}`,
      'Check SELL_FACILITATOR_URL. If it requires signed requests, check SELL_FACILITATOR_KEY_ID and SELL_FACILITATOR_KEY_SECRET.',
    )
  if (state.kind === 'lacks')
    return broken(
      name,
      `${host} does not serve exact on ${network}; it serves ${state.served.join(', ') || 'nothing'}`,
      'Set SELL_FACILITATOR_URL to a facilitator that serves this network.',
    )
  return ok(name, `${methods}${where}; ${host} serves exact on ${network}`)
}
