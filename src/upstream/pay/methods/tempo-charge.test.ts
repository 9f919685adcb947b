/**
 * Tempo's method with mppx's own merchant: a zero-amount proof everywhere, a real payment where
 * anvil is installed.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { Mppx, Request, tempo } from 'mppx/server'
import { Agent } from 'undici'
import { createClient, defineChain, http, toHex, type Client } from 'viem'
import { generatePrivateKey, mnemonicToAccount } from 'viem/accounts'
import { tempoModerato } from 'viem/chains'
import { Actions } from 'viem/tempo'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { senderTo } from '../../../../test/harness/vendors/merchant.ts'
import { TEMPO_CHARGE } from '../../../catalog/vocabulary/merchant.ts'
import { newId } from '../../../lib/ids.ts'
import { cents } from '../../../lib/money.ts'
import { purchase, type Purchase } from '../purchase.ts'
import { acceptMpp } from '../../sell/accept-mpp.ts'
import type { PaymentTerms } from '../../sell/acceptance.ts'
import { takeOnTempo } from '../../sell/take-on-tempo.ts'
import { memoryIntents } from '../testing/memory-intents.ts'
import { tempoCharge } from './tempo-charge.ts'

const PATH_USD = '0x20c0000000000000000000000000000000000000'
const CHAIN_ID = 42_431
const MNEMONIC = 'test test test test test test test test test test test junk'
const dispatcher = new Agent()
cleanUp(() => dispatcher.close())

const chainAt = (rpcUrl: string) =>
  defineChain({ ...tempoModerato, id: CHAIN_ID, rpcUrls: { default: { http: [rpcUrl] } } })
const clientAt = (rpcUrl: string): Client =>
  createClient({ chain: chainAt(rpcUrl), transport: http(rpcUrl) })

async function merchantOf(
  amount: string,
  recipient: `0x${string}`,
  rpcUrl: string,
): Promise<string> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const charge = tempo.charge({
    currency: PATH_USD,
    recipient,
    testnet: true,
    chainId: CHAIN_ID,
    getClient: () => clientAt(rpcUrl),
  })
  const mppx = Mppx.create({
    methods: [charge],
    secretKey: 'a-secret-of-the-merchant-of-32-bytes-or-more',
    realm: new URL(url).host,
  })
  const handle = Request.toNodeListener(async (request) => {
    const result = await mppx.charge({ amount })(request)
    return result.status === 402
      ? result.challenge
      : result.withReceipt(Response.json({ results: ['bought'] }))
  })
  server.on('request', handle)
  return url
}

async function buy(
  url: string,
  key: `0x${string}`,
  rpcUrl: string,
): Promise<{ bought: Purchase; steps: string[] }> {
  const wire = senderTo(url)
  const intents = memoryIntents()
  const methods = [
    tempoCharge({ key, rpcUrl, asset: { currency: PATH_USD, chainId: CHAIN_ID }, dispatcher }),
  ]
  const bought = await purchase(
    { methods, intents, now: Date.now },
    {
      callId: newId(1),
      accountId: newId(1),
      service: 's',
      action: 'a',
      request: wire.request('{"a":1}'),
      send: wire.send,
      expected: { cap: cents('3'), realm: new URL(url).host, methods: [TEMPO_CHARGE] },
      timeoutMs: 60_000,
    },
  )
  return { bought, steps: intents.steps }
}

/**
 * The binary in the platform's package; its launcher needs an install script that may not have run.
 */
function anvilPath(): string | null {
  const path = join(
    import.meta.dirname,
    `../../../../node_modules/@foundry-rs/anvil-linux-${process.arch === 'x64' ? 'amd64' : process.arch}/bin/anvil`,
  )
  return existsSync(path) ? path : null
}

/**
 * Starts a Tempo chain with funded payers. Mines one block first, because a new chain starts at the
 * epoch.
 */
async function startChain(path: string): Promise<string> {
  const chain = spawn(
    path,
    ['--network', 'tempo', '--chain-id', String(CHAIN_ID), '--accounts', '4', '--port', '0'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  cleanUp(() => void chain.kill())
  let output = ''
  for await (const piece of chain.stdout as AsyncIterable<Buffer>) {
    output += piece.toString()
    const port = /Listening on [^:]+:(\d+)/.exec(output)?.[1]
    if (port === undefined) continue
    const rpcUrl = `http://127.0.0.1:${port}`
    await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}',
    })
    return rpcUrl
  }
  return assert.fail('the chain ended before it listened')
}

/** A proxy to the chain that breaks the connection during the method named by `breaksAt`. */
async function startLine(
  to: string,
): Promise<{ readonly url: string; breaksAt(pattern: RegExp | null): void }> {
  let broken: RegExp | null = null
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (broken?.test(body) === true) return void request.socket.destroy()
    const reply = await fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    response.setHeader('content-type', 'application/json').end(await reply.text())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breaksAt: (pattern) => void (broken = pattern),
  }
}

describe('tempo charge', () => {
  it('proves a zero amount with a signature, without the chain', async () => {
    const nowhere = 'http://127.0.0.1:1'
    const { bought, steps } = await buy(
      await merchantOf('0', '0x2222222222222222222222222222222222222222', nowhere),
      generatePrivateKey(),
      nowhere,
    )
    assert.equal(bought.kind, 'paid')
    assert.deepEqual(steps, ['opened', 'signed', 'paid'])
  })

  const anvil = anvilPath()
  const account = (index: number) => mnemonicToAccount(MNEMONIC, { addressIndex: index })
  const keyOf = (index: number) =>
    toHex(account(index).getHdKey().privateKey ?? assert.fail('it has a key'))
  if (anvil !== null) {
    it('moves exactly three cents on a chain', async () => {
      const rpcUrl = await startChain(anvil)
      const balance = async () =>
        (
          await Actions.token.getBalance(clientAt(rpcUrl), {
            account: account(2).address,
            token: PATH_USD,
          })
        ).amount
      const before = await balance()
      const { bought } = await buy(
        await merchantOf('0.03', account(2).address, rpcUrl),
        keyOf(1),
        rpcUrl,
      )
      assert.ok(bought.kind === 'paid')
      assert.equal(bought.payment.amount, 30_000n)
      assert.match(bought.payment.reference, /^0x[0-9a-f]{64}$/)
      assert.equal((await balance()) - before, 30_000n)

      // The seller's side: the gateway can take its own payment request, once.
      const options = {
        asset: { currency: PATH_USD, chainId: CHAIN_ID },
        recipient: account(2).address,
        secretKey: 'a-secret-of-this-gateway-of-32-bytes-or-more',
        realm: 'gate.example',
        rpcUrl,
      }
      const acceptance = acceptMpp({ ...options, name: TEMPO_CHARGE, take: takeOnTempo(options) })
      const asked: PaymentTerms = {
        description: 'Sells a "thing".',
        discovery: { example: {}, schema: {} },
        realm: 'gate.example',
        url: 'https://gate.example/api/run/a/b',
        amount: 12_345n,
        digest: null,
        expiresMs: Date.now() + 60_000,
      }
      const payer = tempoCharge({ key: keyOf(3), rpcUrl, asset: options.asset, dispatcher })
      const [offer] = await payer.offersIn(
        { status: 402, headers: { ...(await acceptance.request(asked)).headers }, text: '' },
        { origin: 'https://gate.example', path: '/', method: 'POST', headers: {}, body: null },
      )
      const payment = await acceptance.read((await offer?.sign()) ?? {}, asked, Date.now())
      const settled = (await payment?.settle()) ?? assert.fail('it is a payment')
      assert.match('reference' in settled ? settled.reference : '', /^0x[0-9a-f]{64}$/)
      assert.equal((await balance()) - before, 42_345n)
      assert.ok(!('reference' in ((await payment?.settle().catch(() => ({}))) ?? {})))
      assert.equal((await balance()) - before, 42_345n)

      // A payment that was not broadcast was not taken and can be sent again. After a broadcast,
      // the outcome is unknown.
      const line = await startLine(rpcUrl)
      const overLine = acceptMpp({
        ...options,
        name: TEMPO_CHARGE,
        take: takeOnTempo({ ...options, rpcUrl: line.url }),
      })
      const other = tempoCharge({ key: keyOf(0), rpcUrl, asset: options.asset, dispatcher })
      const paid = async () => {
        const [signed] = await other.offersIn(
          { status: 402, headers: { ...(await overLine.request(asked)).headers }, text: '' },
          { origin: 'https://gate.example', path: '/', method: 'POST', headers: {}, body: null },
        )
        return (
          (await overLine.read((await signed?.sign()) ?? {}, asked, Date.now())) ??
          assert.fail('it is one')
        )
      }
      const [late, lost] = [await paid(), await paid()]
      line.breaksAt(/./)
      assert.ok('unchecked' in (await late.settle()))
      line.breaksAt(/eth_sendRawTransaction/)
      await assert.rejects(lost.settle())
      assert.equal((await balance()) - before, 42_345n)
      line.breaksAt(null)
      const brought = await late.settle()
      assert.match('reference' in brought ? brought.reference : '', /^0x[0-9a-f]{64}$/)
      assert.equal((await balance()) - before, 54_690n)
    })
  }
})
