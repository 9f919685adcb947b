import type { Config } from '../../../app/settings/config.ts'
import { facilitatorState, sellingNetwork } from '../../../app/wiring/selling.ts'
import { broken, missing, ok, type Check } from './check.ts'

/** Whether calls are sold to callers without an account, and whether the facilitator can take what x402 clients pay. */
export async function checkSelling(
  { sell }: Pick<Config, 'sell'>,
  now: () => number,
): Promise<Check> {
  const name = 'selling by the call'
  const { tempoAddress, evmAddress, facilitatorUrl, networks } = sell
  if (tempoAddress === null && evmAddress === null)
    return missing(
      name,
      'not set up: every call needs a key',
      'Set SELL_EVM_ADDRESS or SELL_TEMPO_ADDRESS (docs/payments.md).',
    )
  const where = networks === 'test' ? ' on test networks, for simulated answers' : ''
  const ways = [
    ...(tempoAddress === null ? [] : ['MPP on Tempo']),
    ...(evmAddress === null ? [] : ['x402 on Base']),
  ].join(', ')
  if (evmAddress === null) return ok(name, `${ways}${where}`)
  const state = await facilitatorState(sell, now)
  if (state === null || facilitatorUrl === null)
    return broken(
      name,
      'SELL_EVM_ADDRESS is set, and no facilitator: nothing is sold by x402',
      'Set SELL_FACILITATOR_URL to a facilitator that serves Base (docs/payments.md).',
    )
  const network = sellingNetwork(sell)
  const { host } = new URL(facilitatorUrl)
  if (state.kind === 'unreachable')
    return broken(
      name,
      `${ways}${where}; ${host} cannot be asked what it serves: ${state.reason}`,
      'Check SELL_FACILITATOR_URL, and SELL_FACILITATOR_KEY_ID and _SECRET where it wants signed requests.',
    )
  if (state.kind === 'lacks')
    return broken(
      name,
      `${host} does not serve exact on ${network}; it serves ${state.served.join(', ') || 'nothing'}`,
      'Set SELL_FACILITATOR_URL to a facilitator that serves this network.',
    )
  return ok(name, `${ways}${where}; ${host} serves exact on ${network}`)
}
