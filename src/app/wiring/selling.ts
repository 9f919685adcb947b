import type { Logger } from 'pino'
import { houseCaller } from '../../calls/selling/house-account.ts'
import type { Selling } from '../../calls/selling/sell-call.ts'
import {
  TEMPO_CHARGE,
  USDC_ON_BASE,
  USDC_ON_BASE_SEPOLIA,
  USDC_ON_TEMPO,
  USD_ON_MODERATO,
} from '../../catalog/vocabulary/merchant.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { StartError } from '../../errors/start-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { acceptMpp } from '../../upstream/sell/accept-mpp.ts'
import { acceptX402 } from '../../upstream/sell/accept-x402.ts'
import type { Acceptance } from '../../upstream/sell/acceptance.ts'
import {
  askSupported,
  type FacilitatorDeps,
  type FacilitatorState,
} from '../../upstream/sell/facilitator.ts'
import { takeByFacilitator } from '../../upstream/sell/take-by-facilitator.ts'
import { takeOnTempo } from '../../upstream/sell/take-on-tempo.ts'
import type { Config } from '../settings/config.ts'

type Settings = Pick<Config, 'sell' | 'pay' | 'publicUrl'>
/** `secretKey` is the same in all processes. */
type SellingDeps = { readonly secretKey: string; readonly now: Clock; readonly logger: Logger }

/** Pay-per-call without an account, as the operator configured it. Null when every call needs a key. */
export function openSelling(
  { sell, pay, publicUrl }: Settings,
  { secretKey, now, logger }: SellingDeps,
): Selling | null {
  const { tempoAddress, evmAddress, networks } = sell
  const isTest = networks === 'test'
  const acceptances: Acceptance[] = []
  if (tempoAddress !== null) {
    const destination = { asset: isTest ? USD_ON_MODERATO : USDC_ON_TEMPO, recipient: tempoAddress }
    const rpcUrl = isTest ? pay.test.tempoRpcUrl : pay.tempoRpcUrl
    acceptances.push(
      acceptMpp({
        ...destination,
        name: TEMPO_CHARGE,
        secretKey,
        take: takeOnTempo({ ...destination, secretKey, realm: new URL(publicUrl).host, rpcUrl }),
      }),
    )
  }
  const facilitator = facilitatorOf(sell, now)
  if (evmAddress !== null && facilitator !== null) {
    const asset = isTest ? USDC_ON_BASE_SEPOLIA : USDC_ON_BASE
    // The name that the token's contract uses in signed messages.
    const token = { name: isTest ? 'USDC' : 'USD Coin', version: '2' }
    acceptances.push(
      acceptX402({ asset, recipient: evmAddress, token, take: takeByFacilitator(facilitator) }),
    )
  }
  if (evmAddress !== null && facilitator === null)
    logger.error(
      'SELL_EVM_ADDRESS is set but SELL_FACILITATOR_URL is not, so x402 payments are not accepted: set it to a facilitator that serves Base (docs/payments.md)',
    )
  const report: Selling['report'] = (refusal) =>
    logger.warn(refusal, 'a payment for a call was rejected')
  return acceptances.length === 0
    ? null
    : { acceptances, publicUrl, mode: isTest ? 'test' : 'live', report }
}

/** Null when the operator named none. */
export function facilitatorOf(
  { facilitatorUrl, facilitatorKey }: Config['sell'],
  now: Clock,
): FacilitatorDeps | null {
  return facilitatorUrl === null ? null : { url: facilitatorUrl, key: facilitatorKey, now }
}

/** The networks that the facilitator currently serves; null when the operator named none. */
export async function facilitatorState(
  sell: Config['sell'],
  now: Clock,
): Promise<FacilitatorState | null> {
  const facilitator = facilitatorOf(sell, now)
  return facilitator === null ? null : askSupported(facilitator, sellingNetwork(sell))
}

/** The network of x402 payments. */
export function sellingNetwork({ networks }: Config['sell']): string {
  return `eip155:${(networks === 'test' ? USDC_ON_BASE_SEPOLIA : USDC_ON_BASE).chainId}`
}

/** The account that receives the sales, created before the first one. Throws StartError when a person's account has its address. */
export async function openHouse(
  database: Database,
  { mode = 'live' }: Selling,
  nowMs: number,
): Promise<void> {
  await houseCaller(database, nowMs, mode).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'email_taken'
      ? new StartError(`${error.message} ${error.fix}`)
      : error
  })
}
