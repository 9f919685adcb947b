import ipaddr from 'ipaddr.js'
import { StartError } from '../errors/start-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type SettingsReader = ReturnType<typeof settingsReader>

/** Reads settings by what they hold; a blank one counts as unset. What it cannot understand it throws as StartError, which names the setting and what it takes. */
export function settingsReader(environment: Environment) {
  const names = new Set<string>()
  const value = (name: string): string | undefined => {
    names.add(name)
    const text = environment[name]?.trim()
    return text === '' ? undefined : text
  }
  const url = (name: string, fallback: string): string => {
    const text = value(name)
    if (text === undefined) return fallback
    if (!isWebUrl(text)) throw notAnAddress(name, text)
    return text.replace(/\/+$/, '')
  }
  return {
    /** Every setting that was asked for until now. */
    names: (): readonly string[] => [...names],
    text: (name: string, fallback: string): string => value(name) ?? fallback,
    integer(name: string, fallback: number, least: number, most: number): number {
      const text = value(name)
      if (text === undefined) return fallback
      const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      if (!(number >= least && number <= most)) throw nonsense(name, text, `a whole number from ${least} to ${most}`)
      return number
    },
    oneOf<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
      const text = value(name)
      if (text === undefined) return fallback
      const choice = choices.find((candidate) => candidate === text)
      if (choice === undefined) throw nonsense(name, text, `one of ${choices.join(', ')}`)
      return choice
    },
    url,
    /** An address that paths are put behind, and that others may see. */
    baseUrl(name: string, fallback: string): string {
      const text = url(name, fallback)
      // Never repeated in the message: it may hold a password.
      const { username, password } = URL.parse(text) ?? { username: '', password: '' }
      if (/[?#]/.test(text) || username !== '' || password !== '') throw new StartError(`${name} is not understood: it must be an address without a user name, a password, "?" and "#".`)
      return text
    },
    networks(name: string): string[] {
      const networks = (value(name) ?? '').split(',').map((part) => part.trim()).filter((part) => part !== '')
      for (const network of networks) if (!ipaddr.isValidCIDR(network)) throw nonsense(name, network, 'a comma-separated list of networks such as 127.0.0.0/8,10.0.0.0/8')
      return networks
    },
  }
}

export function isWebUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}

/** What has an "@" may hold a password, and is not repeated. */
export function notAnAddress(name: string, text: string): StartError {
  const wanted = 'an http or https address'
  return text.includes('@') ? new StartError(`${name} is not understood: it must be ${wanted}.`) : nonsense(name, text, wanted)
}

export function nonsense(name: string, text: string, wanted: string): StartError {
  return new StartError(`${name}="${text}" is not understood: it must be ${wanted}.`)
}
