import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

export type Certificate = { readonly cert: string; readonly key: string }

const YEARS = 20
const MINUTE_MS = 60_000
const TAG = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, utf8: 0x0c, time: 0x18 } as const
const [SEQUENCE, SET, VERSION, EXTENSIONS, DNS_NAME] = [0x30, 0x31, 0xa0, 0xa3, 0x82]
const ECDSA_SHA256 = Buffer.from('2a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('550403', 'hex')
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('551d11', 'hex')

/** A certificate for STARTTLS between mail servers, which encrypt and do not verify names by default. */
export function createSelfSignedCertificate(name: string, nowMs: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = wrap(SEQUENCE, wrap(TAG.oid, ECDSA_SHA256))
  const issuer = wrap(
    SEQUENCE,
    wrap(
      SET,
      wrap(SEQUENCE, wrap(TAG.oid, COMMON_NAME), wrap(TAG.utf8, Buffer.from(name.slice(0, 64)))),
    ),
  )
  const start = nowMs - MINUTE_MS
  const end = new Date(start)
  end.setUTCFullYear(end.getUTCFullYear() + YEARS)
  const names = wrap(SEQUENCE, wrap(DNS_NAME, Buffer.from(name)))
  const body = wrap(
    SEQUENCE,
    wrap(VERSION, wrap(TAG.integer, Buffer.from([2]))),
    wrap(TAG.integer, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    issuer,
    wrap(SEQUENCE, timeOf(new Date(start)), timeOf(end)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    wrap(
      EXTENSIONS,
      wrap(
        SEQUENCE,
        wrap(SEQUENCE, wrap(TAG.oid, SUBJECT_ALTERNATIVE_NAME), wrap(TAG.octets, names)),
      ),
    ),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = wrap(
    SEQUENCE,
    body,
    algorithm,
    wrap(TAG.bits, Buffer.concat([Buffer.from([0]), signature])),
  )
  return { cert: toPem(certificate), key: exportKey(privateKey) }
}

/** An element of DER (X.690): tag, length and content. */
function wrap(tag: number, ...content: readonly Buffer[]): Buffer {
  const value = Buffer.concat(content)
  const { length } = value
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}

function timeOf(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return wrap(TAG.time, Buffer.from(digits))
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

function exportKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
