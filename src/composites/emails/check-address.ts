import { AppError } from '../../errors/app-error.ts'
import type { Slots, Visitor } from '../../lib/fairness/fair-slots.ts'
import { networkOf } from '../../lib/fairness/network-address.ts'
import type { TargetRation } from '../../lib/fairness/target-ration.ts'
import type { MailboxProbe, ProbeResult } from '../../lib/mailbox-probe.ts'
import { parseMailAddress, type MailAddress } from '../shared/mail-address.ts'
import { isDisposable } from '../shared/mail-domains.ts'
import { findMailRoute } from '../shared/mail-hosts.ts'
import { createPublicNames, type DomainNames } from '../shared/public-names.ts'
import { classifyReply } from './classify-reply.ts'
import type { DomainFacts, KnownRoute } from './domain-facts.ts'
import { providerOf, type ProviderLimits } from './provider-limits.ts'

/**
 * - `accepted`: by a server that rejects other addresses of the domain.
 * - `accepts_all`: the server accepts any address of the domain.
 * - `rejected`, `no_mail_server`, `bad_syntax`: email cannot reach it.
 * - `disposable`: the domain gives out temporary addresses.
 * - `deferred`: the server wants a later attempt. `unclear`: its replies decide nothing.
 * - `blocked`: the server does not let this gateway ask. `unreachable`: no server answered.
 * - `not_probed`: this gateway has no name to introduce itself with.
 */
export type Finding =
  | 'accepted'
  | 'accepts_all'
  | 'rejected'
  | 'no_mail_server'
  | 'bad_syntax'
  | 'disposable'
  | 'deferred'
  | 'unclear'
  | 'blocked'
  | 'unreachable'
  | 'not_probed'

export type AddressReport = {
  readonly email: string
  /** Null for text that is no address. */
  readonly address: MailAddress | null
  readonly finding: Finding
  /** The email servers, the preferred one first; null if they were not looked up. */
  readonly servers: readonly string[] | null
  /** Whether a server replied during this check. */
  readonly hasAnswered: boolean
}

export type AddressCheckDeps = {
  readonly names: DomainNames
  /** Null on a gateway without a name for email servers. */
  readonly probe: MailboxProbe | null
  readonly facts: DomainFacts
  readonly limits: ProviderLimits
  /** Of sessions that are not charged. The handlers report paid calls. */
  readonly ration: TargetRation
  readonly slots: Slots
  /** The time of all sessions of a check together. */
  readonly sessionsMs: number
  /** The name of an address that cannot exist. */
  readonly decoyName: () => string
}

export type CheckAddress = (text: string, visitor: Visitor) => Promise<AddressReport>

const MAX_SERVERS = 2
const WAIT_MS = 6_000

/**
 * Checks an address by its form, by DNS, and by asking its email server. Rejects with AppError if
 * the name servers fail, or if the gateway is busy.
 */
export function createAddressCheck(deps: AddressCheckDeps): CheckAddress {
  const { names, facts, probe } = deps
  return async (text, visitor) => {
    const address = parseMailAddress(text)
    const email = address?.email ?? text.trim()
    const report = (finding: Finding, servers: readonly string[] | null, hasAnswered = false) => ({
      email,
      address,
      finding,
      servers,
      hasAnswered,
    })
    if (address === null) return report('bad_syntax', null)
    const { domain } = address
    if (isDisposable(domain)) return report('disposable', null)
    const route = await facts.route(domain, () => findRoute(names, domain))
    if (route.kind === 'private') return report('unreachable', null)
    const servers = route.servers.map(({ exchange }) => exchange)
    if (servers.length === 0) return report('no_mail_server', [])
    if (facts.acceptsAll(domain) === true) return report('accepts_all', servers)
    if (probe === null) return report('not_probed', servers)
    const { finding, hasAnswered } = await probeServers({ ...deps, probe }, address, {
      servers,
      visitor,
    })
    return report(finding, servers, hasAnswered)
  }
}

async function findRoute(names: DomainNames, domain: string): Promise<KnownRoute> {
  const publicNames = createPublicNames(names)
  const route = await findMailRoute(publicNames, domain)
  if (route.kind !== 'none') return route
  const { omitted } = await publicNames.lookUp(domain, ['MX', 'A', 'AAAA'])
  return omitted === 0 ? route : { kind: 'private', servers: [] }
}

type Probed = Pick<AddressReport, 'finding' | 'hasAnswered'>

const UNREACHABLE: Probed = { finding: 'unreachable', hasAnswered: false }

/** Asks the preferred server, and the next one if it cannot be reached. */
async function probeServers(
  deps: AddressCheckDeps & { readonly probe: MailboxProbe },
  address: MailAddress,
  { servers, visitor }: { readonly servers: readonly string[]; readonly visitor: Visitor },
): Promise<Probed> {
  const leave = await enter(deps.slots, visitor)
  const late = AbortSignal.timeout(deps.sessionsMs)
  try {
    const signal = AbortSignal.any([visitor.signal, late])
    for (const host of servers.slice(0, MAX_SERVERS)) {
      if (deps.limits.isResting(host)) return { finding: 'blocked', hasAnswered: false }
      const probed = await probeServer(deps, address, host, { ...visitor, signal })
      if (probed.finding !== 'unreachable' || signal.aborted) return probed
    }
    return UNREACHABLE
  } catch (error) {
    // The time ended while the check waited for the second server.
    if (late.aborted && !visitor.signal.aborted && !(error instanceof AppError)) return UNREACHABLE
    throw error
  } finally {
    leave()
  }
}

async function enter(slots: Slots, { accountId, signal }: Visitor): Promise<() => void> {
  const waiting = AbortSignal.timeout(WAIT_MS)
  try {
    return await slots.take({ accountId, signal: AbortSignal.any([signal, waiting]) })
  } catch (error) {
    if (!waiting.aborted || signal.aborted) throw error
    throw new AppError('overloaded', 'Too many addresses are being checked.', {
      retryAfterSeconds: 5,
    })
  }
}

/**
 * The networks of a server, because any number of names can lead to one; also its provider, for a
 * name whose addresses change.
 */
async function targetsOf({ names }: AddressCheckDeps, host: string): Promise<readonly string[]> {
  // A server of names that fails for one kind does not prevent the check.
  const find = (kind: 'A' | 'AAAA') => names.resolve(host, kind).catch(() => [])
  const found = await Promise.all([find('A'), find('AAAA')])
  return [providerOf(host), ...found.flat().map((address) => networkOf(String(address)))]
}

async function probeServer(
  deps: AddressCheckDeps & { readonly probe: MailboxProbe },
  { email, domain }: MailAddress,
  host: string,
  visitor: Visitor,
): Promise<Probed> {
  const { probe, limits, facts, ration, decoyName } = deps
  const targets = await targetsOf(deps, host)
  ration.admit(visitor.accountId, targets)
  const leave = await limits.enter(host, visitor)
  try {
    ration.start(visitor.accountId, targets)
    const decoy = facts.acceptsAll(domain) === false ? null : `${decoyName()}@${domain}`
    const result = await probe({ host, recipient: email, decoy, signal: visitor.signal })
    if (result.kind === 'answered') ration.answered(visitor.accountId, targets)
    const probed = interpret(result, decoy === null)
    // A reply to a recipient could be about its domain, and that of another account's choice.
    if (result.kind === 'no_session' && (result.reply?.code ?? 0) >= 500) limits.rest(host)
    if (decoy !== null && probed.finding === 'accepted') facts.noteAcceptsAll(domain, false)
    if (probed.finding === 'accepts_all') facts.noteAcceptsAll(domain, true)
    return probed
  } finally {
    leave()
  }
}

function interpret(result: ProbeResult, isSelective: boolean): Probed {
  switch (result.kind) {
    case 'unreachable':
      return UNREACHABLE
    case 'unsupported':
      return { finding: 'rejected', hasAnswered: true }
    case 'no_session':
      return result.reply === null ? UNREACHABLE : { finding: 'blocked', hasAnswered: true }
    case 'answered': {
      const recipient = classifyReply(result.recipient)
      if (recipient !== 'accepted') return { finding: recipient, hasAnswered: true }
      return { finding: isSelective ? 'accepted' : judgeDecoy(result.decoy), hasAnswered: true }
    }
  }
}

/** An accepted address counts only if the server rejects one that cannot exist. */
function judgeDecoy(decoy: Extract<ProbeResult, { kind: 'answered' }>['decoy']): Finding {
  const reply = decoy === null ? 'unclear' : classifyReply(decoy)
  if (reply === 'accepted') return 'accepts_all'
  if (reply === 'blocked') return 'blocked'
  return reply === 'rejected' ? 'accepted' : 'unclear'
}
