import { createPrivateKey, createPublicKey } from 'node:crypto'
import { openSmtpTransport } from '../../upstream/smtp-server-url.ts'
import type { DnsResolver } from './receiving/check-sender.ts'
import type { SigningKey } from './sending/compose.ts'

/** A DNS record or port of the domain. `fix` is null if it is right. */
export type DomainFinding = {
  readonly subject: 'MX record' | 'port 25' | 'SPF record' | 'DKIM record' | 'DMARC record'
  readonly found: string
  readonly fix: string | null
}

export type DomainProbes = {
  readonly resolve: DnsResolver
  /** Rejects unless a server answers on port 25 of the host. */
  readonly greet: (host: string) => Promise<void>
}

const GREET_MS = 5_000

/** Compares the DNS records of MAIL_DOMAIN with the settings, and connects to port 25 of its mail server. */
export async function reportDomain(
  { domain, dkim }: { readonly domain: string; readonly dkim: SigningKey | null },
  { resolve, greet }: DomainProbes,
): Promise<readonly DomainFinding[]> {
  const textsOf = async (name: string): Promise<readonly string[]> => {
    const records = await resolve(name, 'TXT').catch(() => [])
    return records.map((record) => (Array.isArray(record) ? record.join('') : String(record)))
  }
  const [mx, texts, policies] = await Promise.all([
    resolve(domain, 'MX').catch(() => []),
    textsOf(domain),
    textsOf(`_dmarc.${domain}`),
  ])
  const hosts = (mx as readonly { readonly exchange: string }[]).map(({ exchange }) => exchange)
  const [host] = hosts
  const spf = texts.find((text) => /^v=spf1\b/i.test(text))
  const dmarc = policies.find((text) => /^v=DMARC1\b/i.test(text))
  return [
    {
      subject: 'MX record',
      found: hosts.length === 0 ? `${domain} has none` : hosts.join(', '),
      fix:
        hosts.length === 0
          ? `Add the DNS record "${domain}. MX 10 <name of this machine>.". Without it no email arrives.`
          : null,
    },
    ...(host === undefined ? [] : [await reportPort(host, greet)]),
    {
      subject: 'SPF record',
      found: spf ?? `${domain} has none`,
      fix:
        spf === undefined
          ? `Add a TXT record "v=spf1 … ~all" to ${domain} with the servers of your relay.`
          : null,
    },
    ...(dkim === null ? [] : [await reportKey(domain, dkim, textsOf)]),
    {
      subject: 'DMARC record',
      found: dmarc ?? `_dmarc.${domain} has none`,
      fix:
        dmarc === undefined ? `Add the TXT record "v=DMARC1; p=reject" to _dmarc.${domain}.` : null,
    },
  ]
}

async function reportPort(host: string, greet: DomainProbes['greet']): Promise<DomainFinding> {
  const isOpen = await greet(host).then(
    () => true,
    () => false,
  )
  return {
    subject: 'port 25',
    found: isOpen ? `${host} answers` : `${host} does not answer`,
    fix: isOpen
      ? null
      : 'Start the gateway, and forward port 25 to MAIL_PORT. Some networks do not let a machine connect to its own public address; then try from another machine.',
  }
}

async function reportKey(
  domain: string,
  { selector, privateKey }: SigningKey,
  textsOf: (name: string) => Promise<readonly string[]>,
): Promise<DomainFinding> {
  const name = `${selector}._domainkey.${domain}`
  const key = createPublicKey(createPrivateKey(privateKey))
    .export({ type: 'spki', format: 'der' })
    .toString('base64')
  const records = await textsOf(name)
  const isRight = records.some((text) => text.replaceAll(/\s+/g, '').includes(`p=${key}`))
  return {
    subject: 'DKIM record',
    found: isRight ? name : records.length === 0 ? `${name} is missing` : `${name} has another key`,
    fix: isRight ? null : `Set the TXT record of ${name} to "v=DKIM1; k=rsa; p=${key}".`,
  }
}

/** Connects to port 25, encrypts and disconnects. */
export async function greetMailServer(host: string): Promise<void> {
  const transport = await openSmtpTransport(
    {
      host,
      port: 25,
      isSecure: false,
      // Certificates of mail servers are rarely verifiable.
      isThisMachine: true,
      user: '',
      password: '',
      secrets: [],
    },
    { connectMs: GREET_MS, greetingMs: GREET_MS, silenceMs: GREET_MS },
  )
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}
