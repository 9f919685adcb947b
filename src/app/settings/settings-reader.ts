import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { StartError } from '../../errors/start-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type SettingsReader = ReturnType<typeof settingsReader>

/** Names of settings that hold a secret. `<NAME>_FILE` may name a file with the value instead. */
const SECRET_NAME =
  /^(DATABASE_URL|SMTP_URL|EGRESS_PROXIES|(?!UPSTREAM_)[A-Z0-9_]+_(KEY|KEY_ID|SECRET|TOKEN|SECRET_ACCESS_KEY)|UPSTREAM_[A-Z0-9_]+(?<!_URL))$/
const FILE_ENDING = '_FILE'

/** The value of a setting, read from the file in `<NAME>_FILE` when that is set; undefined when blank. Throws StartError for an unreadable file, and when both forms are set. */
export function readSetting(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim()
  const variable = name + FILE_ENDING
  const path = SECRET_NAME.test(name) ? environment[variable]?.trim() : undefined
  if (path === undefined || path === '') return text === '' ? undefined : text
  if (text !== undefined && text !== '')
    throw new StartError(`${name} and ${variable} are both set. Remove one of them.`)
  return secretIn(path, variable)
}

/** The setting that a variable provides, in either of its two forms. */
export function settingNamed(variable: string): string {
  const name = variable.endsWith(FILE_ENDING) ? variable.slice(0, -FILE_ENDING.length) : variable
  return SECRET_NAME.test(name) ? name : variable
}

/** Variable names that these settings may have. */
export function withFileNames(settings: readonly string[]): string[] {
  return settings.flatMap((name) => (SECRET_NAME.test(name) ? [name, name + FILE_ENDING] : [name]))
}

function secretIn(path: string, variable: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new StartError(
      `${variable} names ${path}, which cannot be read (${String((cause as NodeJS.ErrnoException).code)}). Name a file that this user can read.`,
      { cause },
    )
  }
  if (text === '')
    throw new StartError(
      `${variable} names ${path}, which is empty. Write the value of ${variable.slice(0, -FILE_ENDING.length)} into it.`,
    )
  return text
}

export function isSecretSetting(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** Reads settings by type; a blank one counts as unset. Throws StartError with the setting's name and its valid values. */
export function settingsReader(environment: Environment) {
  /** With the defaults. */
  const names = new Map<string, string>()
  const value = (name: string, fallback: string | number = ''): string | undefined => {
    names.set(name, String(fallback))
    return readSetting(environment, name)
  }
  const url = (name: string, fallback: string): string => {
    const text = value(name, fallback)
    if (text === undefined) return fallback
    if (!isWebUrl(text)) throw invalidUrl(name, text)
    return text.replace(/\/+$/, '')
  }
  return {
    /** Every setting that has been read so far. */
    names: (): readonly string[] => [...names.keys()],
    /** Their defaults, as text. */
    defaults: (): ReadonlyMap<string, string> => names,
    text: (name: string, fallback: string): string => value(name, fallback) ?? fallback,
    integer(name: string, fallback: number, least: number, most: number): number {
      const text = value(name, fallback)
      if (text === undefined) return fallback
      const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      if (!(number >= least && number <= most))
        throw invalidSetting(name, text, `a whole number from ${least} to ${most}`)
      return number
    },
    oneOf<Choice extends string>(
      name: string,
      choices: readonly Choice[],
      fallback: Choice,
    ): Choice {
      const text = value(name, fallback)
      if (text === undefined) return fallback
      const choice = choices.find((candidate) => candidate === text)
      if (choice === undefined) throw invalidSetting(name, text, `one of ${choices.join(', ')}`)
      return choice
    },
    url,
    /** A URL that paths are appended to and that others may see. */
    baseUrl(name: string, fallback: string): string {
      const text = url(name, fallback)
      // Never repeated in the message: it may hold a password.
      const { username, password } = URL.parse(text) ?? { username: '', password: '' }
      if (/[?#]/.test(text) || username !== '' || password !== '')
        throw new StartError(
          `${name} is invalid: it must be a URL without a user name, a password, "?" and "#".`,
        )
      return text
    },
    networks(name: string): string[] {
      const networks = (value(name) ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
      for (const network of networks)
        if (!ipaddr.isValidCIDR(network))
          throw invalidSetting(
            name,
            network,
            'a comma-separated list of networks such as 127.0.0.0/8,10.0.0.0/8',
          )
      return networks
    },
  }
}

export function isWebUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}

/** Text with an "@" may hold a password and is not repeated. */
export function invalidUrl(name: string, text: string): StartError {
  const wanted = 'an http or https URL'
  return text.includes('@')
    ? new StartError(`${name} is invalid: it must be ${wanted}.`)
    : invalidSetting(name, text, wanted)
}

export function invalidSetting(name: string, text: string, wanted: string): StartError {
  return new StartError(`${name}="${text}" is invalid: it must be ${wanted}.`)
}
