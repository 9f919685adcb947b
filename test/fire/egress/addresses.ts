/** Ways to make a gateway connect to an address that no caller may reach. */

/** `url` leads to the canary unless the gateway refuses it; `isAtCanary` when it would be reached on this machine. */
export type Technique = {
  readonly name: string
  readonly url: string
  readonly isAtCanary: boolean
}

/** Names that a patched resolver knows; see names.ts. */
export const CANARY_NAMES = [
  'canary.example-egress.com',
  'CANARY.Example-Egress.COM',
  'canary.example-egress.com.',
  'one-of-two.example-egress.com',
  'mapped.example-egress.com',
  'six.example-egress.com',
  'rebinding.example-egress.com',
] as const
export const ELSEWHERE_NAMES = [
  'ten.example-egress.com',
  'metadata.example-egress.com',
  'wire.example-egress.com',
  'unique-local.example-egress.com',
] as const

type Address = readonly [number, number, number, number]

/** Loopback, private networks, and the metadata servers of clouds. */
const ADDRESSES: Readonly<Record<string, Address>> = {
  loopback: [127, 0, 0, 1],
  'loopback, elsewhere in its block': [127, 8, 9, 10],
  'this host': [0, 0, 0, 0],
  'private 10/8': [10, 0, 0, 5],
  'private 172.16/12': [172, 16, 0, 1],
  'private 192.168/16': [192, 168, 1, 1],
  'link-local metadata': [169, 254, 169, 254],
  'container metadata': [169, 254, 170, 2],
  'Alibaba metadata': [100, 100, 100, 200],
  'Azure metadata': [168, 63, 129, 16],
  'IBM services': [161, 26, 0, 10],
  'protocol assignments': [192, 0, 0, 192],
}

const hex = (value: number, digits = 0): string => value.toString(16).padStart(digits, '0')
const octal = (value: number): string => `0${value.toString(8)}`
const numberOf = ([a, b, c, d]: Address): number => ((a * 256 + b) * 256 + c) * 256 + d
const pairs = ([a, b, c, d]: Address): string => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
const withDigits = (text: string, zero: number): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
const dotted = (address: Address): string => address.join('.')

/** Each way to write an IPv4 address that some parser accepts. */
const SPELLINGS: Readonly<Record<string, (address: Address) => string>> = {
  dotted,
  'trailing dot': (address) => `${dotted(address)}.`,
  decimal: (address) => String(numberOf(address)),
  hexadecimal: (address) => `0x${hex(numberOf(address))}`,
  'hexadecimal, padded': (address) => `0x${hex(numberOf(address), 16)}`,
  'hexadecimal parts': (address) => address.map((part) => `0x${hex(part)}`).join('.'),
  octal: (address) => `0${numberOf(address).toString(8)}`,
  'octal parts': (address) => address.map(octal).join('.'),
  'padded octal parts': (address) => address.map((part) => `000${octal(part)}`).join('.'),
  'mixed bases': ([a, b, c, d]) => `0x${hex(a)}.${b}.${octal(c)}.${d}`,
  'two parts': ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  'three parts': ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  'full-width digits': (address) => withDigits(dotted(address), 0xff10),
  'mathematical digits': (address) => withDigits(dotted(address), 0x1_d7ce),
  'ideographic dots': (address) => address.join('\u3002'),
  'percent-encoded': (address) => dotted(address).replaceAll(/\d/g, (digit) => `%3${digit}`),
  'IPv4-mapped': (address) => `[::ffff:${dotted(address)}]`,
  'IPv4-mapped, hexadecimal': (address) => `[::ffff:${pairs(address)}]`,
  'IPv4-mapped, long': (address) => `[0:0:0:0:0:ffff:${pairs(address)}]`,
  'IPv4-compatible': (address) => `[::${dotted(address)}]`,
  'IPv4-translated': (address) => `[::ffff:0:${dotted(address)}]`,
  NAT64: (address) => `[64:ff9b::${dotted(address)}]`,
  'local NAT64': (address) => `[64:ff9b:1::${pairs(address)}]`,
  '6to4': (address) => `[2002:${pairs(address)}::]`,
  Teredo: (address) => `[2001:0:${pairs(address)}::]`,
}

const IPV6 = [
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[fd00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
]
const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'LocalHost.localdomain',
  'metadata',
  'metadata.google.internal',
  'kubernetes.default.svc',
  'router.home.arpa',
  'printer.local',
  'intranet.corp',
]

/** Texts that parsers disagree about. */
function trickyUrls(host: string): Readonly<Record<string, string>> {
  return {
    'credentials before it': `http://example.com@${host}/`,
    'password before it': `http://:example.com@${host}/`,
    'two credentials': `http://a@example.com@${host}/`,
    'encoded credentials': `http://example.com%40${host}/`,
    'public name as a fragment': `http://${host}#@example.com/`,
    'public name as a query': `http://${host}?@example.com/`,
    'public name behind a backslash': `http://${host}\\@example.com/`,
    'encoded backslash': `http://example.com%5c@${host}/`,
    'backslashes for slashes': `http:\\\\${host}\\`,
    'one slash': `http:/${host}/`,
    'no slash': `http:${host}/`,
    'four slashes': `http:////${host}/`,
    'tab in the host': `http://${host.slice(0, 3)}\t${host.slice(3)}/`,
    'line break in the host': `http://${host.slice(0, 3)}\n${host.slice(3)}/`,
    'carriage return in the scheme': `ht\rtp://${host}/`,
    'blanks around': `  http://${host}/  `,
    'control characters around': `\u0001http://${host}/\u0002`,
    'capitals in the scheme': `HTTP://${host}/`,
    'soft hyphen in the host': `http://${host.slice(0, 3)}\u00ad${host.slice(3)}/`,
    'zero-width space in the host': `http://${host.slice(0, 3)}\u200b${host.slice(3)}/`,
    'byte order mark': `\ufeffhttp://${host}/`,
    'request in the path': `http://${host}/ HTTP/1.1\r\nHost: example.com\r\n\r\n`,
    'dots in the path': `http://${host}/a/../../`,
    ftp: `ftp://${host}/`,
    gopher: `gopher://${host}/_GET%20/`,
    dict: `dict://${host}/info`,
    'ws scheme': `ws://${host}/`,
    file: 'file:///etc/hostname',
    'file with a host': `file://${host}/etc/hostname`,
    data: 'data:text/html,<p>a</p>',
    javascript: `javascript:fetch('http://${host}/')`,
    'view-source': `view-source:http://${host}/`,
    blob: `blob:http://${host}/1`,
    'jar scheme': `jar:http://${host}!/`,
  }
}

/** The addresses of the first request, with the canary at `port`: every spelling of every address, names, and tricky texts. */
export function directTechniques(port: number, ownAddresses: readonly string[]): Technique[] {
  const found: Technique[] = []
  const add = (name: string, url: string, isAtCanary: boolean): void => {
    found.push({ name, url, isAtCanary })
  }
  for (const [what, address] of Object.entries(ADDRESSES))
    for (const [how, spell] of Object.entries(SPELLINGS))
      add(`${what}, ${how}`, `http://${spell(address)}:${port}/`, address[0] === 127)
  for (const host of [...IPV6, ...NAMES, ...CANARY_NAMES, ...ELSEWHERE_NAMES])
    add(host, `http://${host}:${port}/`, host !== '[::]' && /localhost$|canary/i.test(host))
  for (const [how, url] of Object.entries(trickyUrls(`127.0.0.1:${port}`))) add(how, url, true)
  for (const address of ownAddresses)
    add(
      'an address of the machine',
      `http://${address.includes(':') ? `[${address}]` : address}:${port}/`,
      false,
    )
  for (const path of ['http://127.0.0.1:5432/', 'http://127.0.0.1:6379/', 'https://127.0.0.1/'])
    add('another port', path, false)
  return found
}
