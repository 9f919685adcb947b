import type { Destination } from './acceptance.ts'
import type { MppAcceptanceOptions } from './accept-mpp.ts'

export type TempoTakeOptions = Destination & { readonly secretKey: string; readonly realm: string; readonly rpcUrl: string }

/** Checks a transfer and broadcasts it. Loaded when the first payment comes. */
export function takeOnTempo(options: TempoTakeOptions): MppAcceptanceOptions['take'] {
  let made: ReturnType<typeof merchantOf> | undefined
  return async (credential) => {
    const { Errors } = await import('mppx')
    const merchant = await (made ??= merchantOf(options))
    try {
      const { reference } = await merchant.verifyCredential(credential)
      return { reference }
    } catch (error) {
      // It was looked at and refused. Anything else leaves open whether it was broadcast.
      if (error instanceof Errors.PaymentError) return null
      throw error
    }
  }
}

async function merchantOf({ asset, recipient, secretKey, realm, rpcUrl }: TempoTakeOptions) {
  const [{ Mppx, tempo }, { createClient, http }, { tempo: chain }] = await Promise.all([import('mppx/server'), import('viem'), import('viem/tempo/chains')])
  const chainId = asset.chainId ?? chain.id
  const client = createClient({ chain: { ...chain, id: chainId, rpcUrls: { default: { http: [rpcUrl] } } }, transport: http(rpcUrl) })
  return Mppx.create({ methods: [tempo.charge({ currency: asset.currency as `0x${string}`, recipient: recipient as `0x${string}`, chainId, getClient: () => client })], secretKey, realm })
}
