import { fetch as send, type Dispatcher } from 'undici'
import { TEMPO_CHARGE, type Asset } from '../../../catalog/vocabulary/merchant.ts'
import type { PaymentMethod } from '../offer.ts'
import { mppMethod, type CredentialMaker } from './mpp.ts'

export type TempoSettings = {
  /** Private key of the paying account. */
  readonly key: `0x${string}`
  readonly rpcUrl: string
  readonly asset: Asset & { readonly chainId: number }
  readonly dispatcher: Dispatcher
}

/** Pays with a signed transfer that the merchant broadcasts. A rejected transfer costs nothing. */
export function tempoCharge(settings: TempoSettings): PaymentMethod {
  let made: Promise<CredentialMaker> | undefined
  return mppMethod({
    name: TEMPO_CHARGE,
    assets: [settings.asset],
    maker: () => (made ??= makerOf(settings)),
  })
}

async function makerOf({
  key,
  rpcUrl,
  asset,
  dispatcher,
}: TempoSettings): Promise<CredentialMaker> {
  const [{ tempo }, { privateKeyToAccount }, { createClient, http }, { tempo: chain }] =
    await Promise.all([
      import('mppx/client'),
      import('viem/accounts'),
      import('viem'),
      import('viem/tempo/chains'),
    ])
  const fetchFn = ((input: string, init: object) =>
    send(input, { ...init, dispatcher })) as unknown as typeof fetch
  const client = createClient({
    chain: { ...chain, id: asset.chainId, rpcUrls: { default: { http: [rpcUrl] } } },
    transport: http(rpcUrl, { fetchFn }),
  })
  const charge = tempo.charge({
    account: privateKeyToAccount(key),
    expectedChainId: asset.chainId,
    mode: 'pull',
    getClient: () => client,
  })
  return {
    createCredential: ({ challenge }) =>
      charge.createCredential({
        challenge: challenge as Parameters<typeof charge.createCredential>[0]['challenge'],
        context: {},
      }),
  }
}
