import { BlockList, isIP } from 'node:net'

/** Addresses and networks of clients. */
export type AddressList = { has(address: string): boolean }

/** Whether the text is an IP address, or a network such as `192.0.2.0/24` or `2001:db8::/32`. */
export function isAddressOrNetwork(text: string): boolean {
  return readNetwork(text) !== null
}

/** Compiles addresses and networks. Texts that are neither match nothing. */
export function compileAddresses(texts: readonly string[]): AddressList {
  const list = new BlockList()
  for (const text of texts) {
    const network = readNetwork(text)
    if (network !== null) list.addSubnet(network.address, network.bits, network.family)
  }
  return {
    has(address) {
      // A socket that accepts both families reports IPv4 clients as ::ffff:192.0.2.1.
      const plain = MAPPED.exec(address)?.[1] ?? address
      const version = isIP(plain)
      return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i
const BITS = /^\d{1,3}$/

type Network = {
  readonly address: string
  readonly bits: number
  readonly family: 'ipv4' | 'ipv6'
}

function readNetwork(text: string): Network | null {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  // A scope such as %eth0 belongs to one machine.
  if (version === 0 || rest.length > 0 || address.includes('%')) return null
  const most = version === 4 ? 32 : 128
  if (bits !== undefined && (!BITS.test(bits) || Number(bits) > most)) return null
  return {
    address,
    bits: bits === undefined ? most : Number(bits),
    family: version === 4 ? 'ipv4' : 'ipv6',
  }
}
