/** Heurist Mesh: POST /mesh_request with a bearer key. Also the public sources that need no key. */
import { isMiss, json, openData, SIMULATED } from '../../simulators/open-data.ts'
import { routed } from '../../simulators/routed.ts'
import { bearerCredential, bodyField, type SimulatedVendor } from '../../simulators/vendor.ts'

const dexscreener = openData({
  'GET /latest/dex/search': (request) =>
    json({
      schemaVersion: '1.0.0',
      pairs: isMiss(request, 'dexscreener')
        ? []
        : [
            {
              chainId: 'ethereum',
              dexId: 'uniswap',
              baseToken: { symbol: 'SIM', name: SIMULATED, address: '0x1' },
              priceUsd: '1.00',
              liquidity: { usd: 1000 },
            },
          ],
    }),
})

const goplus = openData({
  'GET /token_security/:chain': ({ query }) => {
    const address = query.get('contract_addresses') ?? ''
    return json({
      code: 1,
      message: 'OK',
      result: address.endsWith('0404')
        ? {}
        : {
            [address.toLowerCase()]: {
              is_honeypot: '0',
              is_open_source: '1',
              token_name: SIMULATED,
            },
          },
    })
  },
  'GET /address_security/:address': (_, { address }) =>
    json({
      code: 1,
      message: 'ok',
      result: { address, phishing_activities: '0', sanctioned: '0', note: SIMULATED },
    }),
  'GET /phishing_site': ({ query }) =>
    json({
      code: 1,
      message: 'ok',
      result: {
        phishing_site: query.get('url')?.includes('phish') === true ? 1 : 0,
        note: SIMULATED,
      },
    }),
})

/** A failed tool is reported with status 200. */
const cryptoagent: SimulatedVendor = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure: (status) => json({ detail: `Simulated failure with status ${status}.` }, status),
  routes: {
    'POST /mesh_request': (request) => {
      const { tool } = (bodyField(request, 'input') ?? {}) as { tool?: string }
      if (isMiss(request, 'cryptoagent'))
        return json({ response: '', data: { error: 'Nothing was found (simulated).' } })
      return json({
        response: '',
        data: {
          status: 'success',
          data: { tool, agent: bodyField(request, 'agent_id'), note: SIMULATED },
        },
      })
    },
  },
})

export const simulators = { cryptoagent, dexscreener, goplus }
