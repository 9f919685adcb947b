import { fetch as send, type Dispatcher } from 'undici'
import type { Asset } from '../../catalog/vocabulary/merchant.ts'
import type { Micros } from '../../lib/money.ts'

export type PayingAccount = {
  readonly name: string
  readonly key: `0x${string}`
  readonly rpcUrl: string
  readonly asset: Asset
}
/** `balance`: null if the chain did not respond. */
export type AccountBalance = {
  readonly name: string
  readonly address: string
  readonly chain_id: number | null
  readonly currency: string
  readonly balance: Micros | null
}

const TIMEOUT_MS = 5_000

/**
 * Reads the balances of the paying accounts from their chains. The keys stay here; addresses are
 * public.
 */
export async function readBalances(
  accounts: readonly PayingAccount[],
  dispatcher: Dispatcher,
): Promise<AccountBalance[]> {
  const { privateKeyToAccount } = await import('viem/accounts')
  return Promise.all(
    accounts.map(async ({ name, key, rpcUrl, asset }) => {
      const { address } = privateKeyToAccount(key)
      const balance = await balanceOf(address, asset.currency, rpcUrl, dispatcher).catch(() => null)
      return { name, address, chain_id: asset.chainId, currency: asset.currency, balance }
    }),
  )
}

/** Calls the token's balanceOf. Its smallest unit is a micro-dollar. */
async function balanceOf(
  address: string,
  token: string,
  rpcUrl: string,
  dispatcher: Dispatcher,
): Promise<Micros | null> {
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_call',
    params: [{ to: token, data }, 'latest'],
  })
  const answer = await send(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    dispatcher,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { result } = (await answer.json()) as { result?: unknown }
  return typeof result === 'string' && /^0x[0-9a-f]{1,64}$/i.test(result) ? BigInt(result) : null
}
