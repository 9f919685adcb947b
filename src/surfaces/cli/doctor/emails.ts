import { resolve4, resolve6, reverse } from 'node:dns/promises'
import type { Config } from '../../../app/settings/config.ts'
import { isPartEnabled } from '../../../app/settings/in-house-settings.ts'
import { mailNameOf } from '../../../app/settings/mail-name.ts'
import { greetMailServer } from '../../../resources/inboxes/domain-report.ts'
import { missing, ok, type Check } from './check.ts'

/** Whether email checks ask email servers, and under which name. */
export async function checkEmails(
  config: Pick<Config, 'mail' | 'publicUrl'>,
  title: string,
): Promise<Check> {
  const name = mailNameOf(config)
  return ok(
    title,
    name === null
      ? 'without asking email servers; set MAIL_DOMAIN or PUBLIC_URL to a public name'
      : `asks email servers as ${name}`,
  )
}

export type EmailProbes = {
  /** Rejects unless a server answers on port 25 of the host. */
  readonly greet: (host: string) => Promise<void>
  readonly addressesOf: (name: string) => Promise<readonly string[]>
  readonly namesOf: (address: string) => Promise<readonly string[]>
}

/** Servers of large providers, which always answer. */
const KNOWN_SERVERS = ['gmail-smtp-in.l.google.com', 'mx1.mail.icloud.com']

const PROBES: EmailProbes = {
  greet: greetMailServer,
  addressesOf: async (name) => {
    const lists = await Promise.all([resolve4, resolve6].map((find) => find(name).catch(() => [])))
    return lists.flat()
  },
  namesOf: (address) => reverse(address).catch(() => []),
}

/** Whether port 25 is open outwards and the name has a PTR record; nothing on a gateway that asks no servers. */
export async function checkMailServers(
  config: Pick<Config, 'mail' | 'publicUrl' | 'inHouse'>,
  probes: EmailProbes = PROBES,
): Promise<readonly Check[]> {
  const name = mailNameOf(config)
  if (name === null || !isPartEnabled(config.inHouse, 'emails', true)) return []
  return Promise.all([checkPort(probes), checkReverseName(name, probes)])
}

async function checkPort({ greet }: EmailProbes): Promise<Check> {
  const title = 'email checks: port 25'
  for (const host of KNOWN_SERVERS) {
    const isOpen = await greet(host).then(
      () => true,
      () => false,
    )
    if (isOpen) return ok(title, `${host} answers`)
  }
  return missing(
    title,
    `neither ${KNOWN_SERVERS.join(' nor ')} answers`,
    'Ask the provider of this machine to open port 25 outwards. Until then checks return "unknown", free.',
  )
}

async function checkReverseName(
  name: string,
  { addressesOf, namesOf }: EmailProbes,
): Promise<Check> {
  const title = 'email checks: PTR record'
  const addresses = await addressesOf(name)
  const reversed = await Promise.all(addresses.map(async (address) => namesOf(address)))
  const isRight = reversed.flat().some((one) => one.replace(/\.$/, '').toLowerCase() === name)
  if (isRight) return ok(title, `${addresses.join(', ')} is ${name}`)
  return missing(
    title,
    addresses.length === 0 ? `${name} has no address` : `${addresses.join(', ')} is not ${name}`,
    `Give ${name} the address from which this machine connects, and ask its provider to set the PTR record of the address to ${name}. Many email servers reject others.`,
  )
}
