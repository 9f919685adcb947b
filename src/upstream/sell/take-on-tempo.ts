import type { Store } from 'mppx'
import type { Destination } from './acceptance.ts'
import type { MppAcceptanceOptions } from './accept-mpp.ts'

export type TempoTakeOptions = Destination & {
  readonly secretKey: string
  readonly realm: string
  readonly rpcUrl: string
}

/** Of the requests to a chain those that move money. */
const BROADCAST = /"method":"eth_sendRawTransaction/

/** Checks a transfer and broadcasts it. What it needs for that is loaded when the first payment comes. */
export function takeOnTempo(options: TempoTakeOptions): MppAcceptanceOptions['take'] {
  let store: Store.AtomicStore | undefined
  return async (credential) => {
    const { Errors, Store } = await import('mppx')
    // What was broadcast before is not taken again.
    store ??= Store.memory()
    let isBroadcast = false
    // A merchant for each payment, since it alone knows how far that one came.
    const merchant = await merchantOf(options, store, () => (isBroadcast = true))
    try {
      const { reference } = await merchant.verifyCredential(credential)
      return { reference }
    } catch (error) {
      // The chain could not be asked, or would refuse it; or it was looked at and refused. Anything else leaves open whether it was taken.
      if (!isBroadcast || error instanceof Errors.PaymentError) return null
      throw error
    }
  }
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
