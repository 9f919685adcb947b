/** SPF, DKIM and DMARC of a received message, by DNS alone. */
import { Resolver } from 'node:dns/promises'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

export type DnsResolver = (domain: string, kind: string) => Promise<readonly unknown[]>

/** pass, fail, softfail, neutral, none, policy, temperror or permerror (RFC 8601). */
export type Authentication = {
  readonly spf: string
  readonly dkim: string
  readonly dmarc: string
  /** For messages that fail: none, quarantine or reject. Null for an unknown policy. */
  readonly dmarc_policy: string | null
  /** The domains whose signatures are valid. */
  readonly signed_by: readonly string[]
}

export type Delivery = {
  /** The address of the sending server. */
  readonly ip: string
  readonly helo: string
  /** The envelope's sender; empty for a delivery report. */
  readonly sender: string
}

export type SenderCheck = (raw: Buffer, delivery: Delivery) => Promise<Authentication>

const WITHIN_MS = 15_000
const MAX_LOOKUPS = 40
const PIECE_BYTES = 65_536
export const UNKNOWN: Authentication = {
  spf: 'temperror',
  dkim: 'temperror',
  dmarc: 'temperror',
  dmarc_policy: null,
  signed_by: [],
}

/** `serverName` appears in the results. Without an answer in time, every result is temperror. */
export function createSenderCheck(serverName: string, resolve: DnsResolver): SenderCheck {
  return async (raw, { ip, helo, sender }) => {
    const { promise: timeout, resolve: giveUp } = Promise.withResolvers<Authentication>()
    const pieces = Readable.from(piecesOf(raw))
    const timer = setTimeout(() => {
      giveUp(UNKNOWN)
      // Ends the work on the message too.
      pieces.destroy()
    }, WITHIN_MS)
    try {
      return await Promise.race([authenticateMessage(), timeout])
    } catch {
      return UNKNOWN
    } finally {
      clearTimeout(timer)
    }

    async function authenticateMessage(): Promise<Authentication> {
      // Loaded with the first message. BIMI would load images; ARC trusts other servers.
      const { authenticate } = await import('mailauth')
      const { spf, dkim, dmarc } = await authenticate(pieces, {
        ip,
        helo,
        ...(sender === '' ? {} : { sender }),
        mta: serverName,
        resolver: limitLookups(resolve) as never,
        disableBimi: true,
        disableArc: true,
        rejectRsaSha1: true,
      })
      const results = dkim.results.map(({ status, signingDomain }) => ({
        result: status.result as string,
        domain: signingDomain ?? '',
      }))
      const passed = results.filter(({ result }) => result === 'pass')
      return {
        spf: spf === false ? 'none' : spf.status.result,
        dkim: passed.length > 0 ? 'pass' : (results[0]?.result ?? 'none'),
        dmarc: dmarc === false ? 'none' : dmarc.status.result,
        dmarc_policy: dmarc === false ? null : (dmarc.policy ?? null),
        signed_by: [...new Set(passed.map(({ domain }) => domain.slice(0, 253)))],
      }
    }
  }
}

/** In pieces, so that no check delays the others. */
async function* piecesOf(raw: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < raw.length; at += PIECE_BYTES) {
    yield raw.subarray(at, at + PIECE_BYTES)
    await nextTurn()
  }
}

/** A message chooses which names are looked up, so their number is limited. */
function limitLookups(resolve: DnsResolver): DnsResolver {
  let count = 0
  return async (domain, kind) => {
    count += 1
    if (count > MAX_LOOKUPS)
      throw Object.assign(new RangeError('too many lookups'), { code: 'ESERVFAIL' })
    return resolve(domain, kind)
  }
}

const DNS_TIMEOUT_MS = 3_000

/** Queries the system's name servers. */
export function createDnsResolver(): DnsResolver {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 })
  return async (domain, kind) => (await resolver.resolve(domain, kind)) as unknown as unknown[]
}
