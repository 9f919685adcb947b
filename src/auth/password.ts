import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors/app-error.ts'
import { FairQueue } from '../lib/fairness/fair-queue.ts'
import { networkOf } from '../lib/fairness/network-address.ts'

export const LEAST_PASSWORD_CHARACTERS = 10
export const MOST_PASSWORD_CHARACTERS = 200

/**
 * The parameters of scrypt. A stored hash contains its own, so a change affects only new passwords.
 */
export type PasswordCost = { readonly N: number; readonly r: number; readonly p: number }

// OWASP's recommendation for scrypt at 32 MiB:
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
const PASSWORD_COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 }
const [SALT_BYTES, HASH_BYTES] = [16, 32]
const FORM = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/

// Each derivation takes 32 MiB and a thread of Node's pool for 200 ms. Calls need that pool as
// well, for DNS and files.
const MOST_CONCURRENT = 2
const MOST_WAITING = 50
let active = 0
const waiting = new FairQueue<() => void>(MOST_WAITING + 1)

/** Throws AppError invalid_params for a password that is too short or too long. */
export function readPassword(text: string): string {
  const { length } = [...text]
  if (length >= LEAST_PASSWORD_CHARACTERS && length <= MOST_PASSWORD_CHARACTERS) return text
  throw new AppError(
    'invalid_params',
    `The password must have ${LEAST_PASSWORD_CHARACTERS} to ${MOST_PASSWORD_CHARACTERS} characters; this one has ${length}.`,
    {
      param: 'password',
      fix: 'Choose another one. A sequence of several words is long and easy to remember.',
    },
  )
}

/** A hash with its parameters, as text. Throws AppError overloaded when too many callers wait. */
export async function hashPassword(
  password: string,
  cost: PasswordCost = PASSWORD_COST,
): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, cost)
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/**
 * Takes the same time for an account without a password (null) as for a wrong password. Throws
 * AppError overloaded when too many callers wait, or too many of the network of `address`.
 */
export async function isPassword(
  password: string,
  stored: string | null,
  costWithout: PasswordCost = PASSWORD_COST,
  address = '',
): Promise<boolean> {
  const [, n, r, p, salt = '', expected = ''] = FORM.exec(stored ?? '') ?? []
  const cost = stored === null ? costWithout : { N: Number(n), r: Number(r), p: Number(p) }
  const hash = await derive(password, Buffer.from(salt, 'base64url'), cost, address)
  const wanted = Buffer.from(expected, 'base64url')
  return hash.length === wanted.length && timingSafeEqual(hash, wanted)
}

async function derive(
  password: string,
  salt: Buffer,
  cost: PasswordCost,
  address = '',
): Promise<Buffer> {
  await acquireSlot(address)
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      // Keyboards produce the same characters in several forms (NFC, NFD).
      scrypt(
        password.normalize('NFKC'),
        salt,
        HASH_BYTES,
        { ...cost, maxmem: 128 * 1024 * 1024 },
        (error, key) => (error === null ? resolve(key) : reject(error)),
      )
    })
  } finally {
    const next = waiting.shift()
    if (next === undefined) active -= 1
    else next()
  }
}

async function acquireSlot(address: string): Promise<void> {
  if (active < MOST_CONCURRENT) {
    active += 1
    return
  }
  // The caller that finishes passes its slot on.
  const { promise, resolve } = Promise.withResolvers<void>()
  if (!waiting.push(networkOf(address), resolve))
    throw new AppError('overloaded', 'Too many people are signing in right now.', {
      retryAfterSeconds: 5,
    })
  await promise
}
