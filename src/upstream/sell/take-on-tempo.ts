import type { Store } from 'mppx'
import type { Destination } from './acceptance.ts'
import type { MppAcceptanceOptions } from './accept-mpp.ts'

export type TempoTakeOptions = Destination & {
  readonly secretKey: string
  readonly realm: string
  readonly rpcUrl: string
}

/** Of the requests to a chain, those that move money. */
const BROADCAST = /"method":"eth_sendRawTransaction/

/** Verifies and broadcasts a transfer. Loads its libraries with the first payment. */
export function takeOnTempo(options: TempoTakeOptions): MppAcceptanceOptions['take'] {
  let store: Store.AtomicStore | undefined
  return async (credential) => {
    const { Errors, Store } = await import('mppx')
    // Prevents taking a broadcast payment again.
    store ??= Store.memory()
    let isBroadcast = false
    // One merchant per payment, so that its progress is known.
    const merchant = await merchantOf(options, store, () => (isBroadcast = true))
    try {
      const { reference } = await merchant.verifyCredential(credential)
      return { reference }
    } catch (error) {
      if (error instanceof Errors.PaymentError) return null
      if (isBroadcast) throw error
      // A buyer who sent the transfer may be ahead of this endpoint of the chain.
      return hasNoAnswer(error) ? { unchecked: 'the chain did not answer' } : null
    }
  }
}

/** viem's errors for a chain that was not reached or has not seen the transfer yet. */
const NO_ANSWER = new Set([
  'HttpRequestError',
  'TimeoutError',
  'TransactionNotFoundError',
  'TransactionReceiptNotFoundError',
])

function hasNoAnswer(error: unknown): boolean {
  return (
    error instanceof Error && (NO_ANSWER.has(error.name) || hasNoAnswer(error.cause ?? undefined))
  )
}

async function merchantOf(
  { asset, recipient, secretKey, realm, rpcUrl }: TempoTakeOptions,
  store: Store.AtomicStore,
  onBroadcast: () => void,
) {
  const [{ Mppx, tempo }, { createClient, http }, { tempo: chain }] = await Promise.all([
    import('mppx/server'),
    import('viem'),
    import('viem/tempo/chains'),
  ])
  const chainId = asset.chainId ?? chain.id
  const transport = http(rpcUrl, {
    onFetchRequest(_, { body }) {
      if (typeof body === 'string' && BROADCAST.test(body)) onBroadcast()
    },
  })
  const client = createClient({
    chain: { ...chain, id: chainId, rpcUrls: { default: { http: [rpcUrl] } } },
    transport,
  })
  return Mppx.create({
    methods: [
      tempo.charge({
        currency: asset.currency as `0x${string}`,
        recipient: recipient as `0x${string}`,
        chainId,
        store,
        getClient: () => client,
      }),
    ],
    secretKey,
    realm,
  })
}
