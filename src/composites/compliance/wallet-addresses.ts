/** Checks the format and checksum of blockchain addresses. The existence of a key cannot be checked. */
import { createHash } from 'node:crypto'
import { readText, type Check } from './check.ts'

const BITCOIN_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const RIPPLE_ALPHABET = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'
const MAX_ADDRESS = 120

/** Null if a character is not in the alphabet. */
function decodeBase58(text: string, alphabet = BITCOIN_ALPHABET): Buffer | null {
  if (text === '' || text.length > MAX_ADDRESS) return null
  let value = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return null
    value = value * 58n + BigInt(digit)
  }
  const hex = value === 0n ? '' : value.toString(16)
  const zeros = [...text].findIndex((character) => character !== alphabet.charAt(0))
  return Buffer.concat([
    Buffer.alloc(zeros < 0 ? text.length : zeros),
    Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'),
  ])
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** The version byte and payload size of an address, or null if its checksum is wrong. */
function decodeChecked(text: string, alphabet?: string): { version: number; size: number } | null {
  const bytes = decodeBase58(text, alphabet)
  if (bytes === null || bytes.length < 5) return null
  const payload = bytes.subarray(0, -4)
  return sha256(sha256(payload)).subarray(0, 4).equals(bytes.subarray(-4))
    ? { version: payload[0] ?? 0, size: payload.length - 1 }
    : null
}

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const BECH32M = 0x2bc830a3

/** Witness version of a segwit address, or null. */
function witnessVersion(address: string, prefix: string): number | null {
  const text = address.toLowerCase()
  if (
    text.length > 90 ||
    (address !== text && address !== address.toUpperCase()) ||
    !text.startsWith(`${prefix}1`)
  )
    return null
  const values = Array.from(text.slice(prefix.length + 1), (character) => BECH32.indexOf(character))
  if (values.includes(-1) || values.length < 8) return null
  const expanded = [
    ...[...prefix].map((character) => character.charCodeAt(0) >> 5),
    0,
    ...[...prefix].map((character) => character.charCodeAt(0) & 31),
    ...values,
  ]
  let check = 1
  for (const value of expanded) {
    const top = check >>> 25
    check = ((check & 0x1ffffff) << 5) ^ value
    GENERATORS.forEach((generator, bit) => {
      if ((top >>> bit) & 1) check ^= generator
    })
  }
  const version = values[0] ?? 0
  const bytes = Math.floor(((values.length - 7) * 5) / 8)
  if (version > 16 || check >>> 0 !== (version === 0 ? 1 : BECH32M)) return null
  return version === 0 && bytes !== 20 && bytes !== 32 ? null : version
}

function answer(
  address: string,
  chain: string,
  type: string | null,
  network: string | null = type === null ? null : 'mainnet',
) {
  return { valid: type !== null, address, chain, type, network }
}

export const validateBitcoin: Check = (parameters) => {
  const address = readText(parameters, 'address')
  for (const [prefix, network] of [
    ['bc', 'mainnet'],
    ['tb', 'testnet'],
  ] as const) {
    const version = witnessVersion(address, prefix)
    if (version !== null)
      return answer(
        address,
        'bitcoin',
        version === 0 ? 'segwit' : version === 1 ? 'taproot' : `witness v${version}`,
        network,
      )
  }
  const decoded = decodeChecked(address)
  const types: Readonly<Record<number, readonly [string, string]>> = {
    0x00: ['p2pkh', 'mainnet'],
    0x05: ['p2sh', 'mainnet'],
    0x6f: ['p2pkh', 'testnet'],
    0xc4: ['p2sh', 'testnet'],
  }
  const [type, network] =
    decoded?.size === 20 ? (types[decoded.version] ?? [null, null]) : [null, null]
  return answer(address, 'bitcoin', type, network)
}

/** Checks addresses with a version byte and a 20-byte hash. */
function createHashCheck(
  chain: string,
  types: Readonly<Record<number, string>>,
  alphabet?: string,
): Check {
  return (parameters) => {
    const address = readText(parameters, 'address')
    const decoded = decodeChecked(address, alphabet)
    return answer(address, chain, decoded?.size === 20 ? (types[decoded.version] ?? null) : null)
  }
}

export const validateDogecoin = createHashCheck('dogecoin', { 0x1e: 'p2pkh', 0x16: 'p2sh' })
export const validateTron = createHashCheck('tron', { 0x41: 'account' })
export const validateXrp = createHashCheck('xrp', { 0x00: 'classic' }, RIPPLE_ALPHABET)

export const validateSolana: Check = (parameters) => {
  const address = readText(parameters, 'address')
  return answer(address, 'solana', decodeBase58(address)?.length === 32 ? 'account' : null)
}

/** Mixed case contains a checksum (EIP-55). */
export const validateEthereum: Check = async (parameters) => {
  const address = readText(parameters, 'address')
  if (!/^0x[0-9a-fA-F]{40}$/.test(address))
    return { ...answer(address, 'ethereum', null), checksum: null }
  const { getAddress } = await import('viem/utils')
  const checksummed = getAddress(address.toLowerCase())
  const isMixed = /[a-f]/.test(address.slice(2)) && /[A-F]/.test(address.slice(2))
  return {
    ...answer(address, 'ethereum', isMixed && checksummed !== address ? null : 'account'),
    checksum: isMixed ? checksummed === address : null,
    checksum_address: checksummed,
  }
}
