import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors/app-error.ts'

export const LEAST_PASSWORD_CHARACTERS = 10
export const MOST_PASSWORD_CHARACTERS = 200

/** The parameters of scrypt. A stored hash names its own, so changing them affects new passwords only. */
export type PasswordCost = { readonly N: number; readonly r: number; readonly p: number }

// OWASP's recommendation for scrypt at 32 MiB: https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
const PASSWORD_COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 }
const [SALT_BYTES, HASH_BYTES] = [16, 32]
const FORM = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/

// Each takes 32 MiB and a thread of Node's pool for a fifth of a second. Calls need that pool too, for names and files.
const MOST_AT_ONCE = 2
const MOST_WAITING = 50
let underWay = 0
const waiting: (() => void)[] = []

/** Throws AppError invalid_params for one that is too short or too long to be kept. */
export function readPassword(text: string): string {
  const { length } = [...text]
  if (length >= LEAST_PASSWORD_CHARACTERS && length <= MOST_PASSWORD_CHARACTERS) return text
  throw new AppError(
    'invalid_params',
    `A password has ${LEAST_PASSWORD_CHARACTERS} to ${MOST_PASSWORD_CHARACTERS} characters; this one has ${length}.`,
    {
      param: 'password',
      fix: 'Choose another one: several words in a row are long and easily kept in mind.',
    },
  )
}

/** As text that says how it was made. Throws AppError overloaded when too many wait. */
export async function hashPassword(
  password: string,
  cost: PasswordCost = PASSWORD_COST,
): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, cost)
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/** Takes as long for an account without a password (null) as for one with a wrong one. Throws AppError overloaded when too many wait. */
export async function isPassword(
  password: string,
  kept: string | null,
  costWithout: PasswordCost = PASSWORD_COST,
): Promise<boolean> {
  const [, n, r, p, salt = '', expected = ''] = FORM.exec(kept ?? '') ?? []
  const cost = kept === null ? costWithout : { N: Number(n), r: Number(r), p: Number(p) }
  const hash = await derive(password, Buffer.from(salt, 'base64url'), cost)
  const wanted = Buffer.from(expected, 'base64url')
  return hash.length === wanted.length && timingSafeEqual(hash, wanted)
}

async function derive(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  await turn()
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      // The same characters may be typed in several forms (NFC, NFD), by the keyboard's choice.
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
    if (next === undefined) underWay -= 1
    else next()
  }
}

async function turn(): Promise<void> {
  if (underWay < MOST_AT_ONCE) {
    underWay += 1
    return
  }
  if (waiting.length >= MOST_WAITING)
    throw new AppError('overloaded', 'Too many people sign in at this moment.', {
      retryAfterSeconds: 5,
    })
  // Whoever ends hands its place on.
  await new Promise<void>((resume) => waiting.push(resume))
}
