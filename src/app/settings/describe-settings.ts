import type { SettingLine } from '../../operate/operate-deps.ts'
import { isSecretSetting, readSetting, settingNamed, type Environment } from './settings-reader.ts'

const UPSTREAM = /^UPSTREAM_/
/** Not secrets by their names, but operators may put tokens into them. */
const HIDDEN = new Set(['ROUTER_EXTRA_FIELDS'])
const SHOWN_CHARACTERS = 3
/** Of a shorter secret, three characters would give away too much. */
const LEAST_LENGTH = 16

/** The settings in effect with their sources, without secrets. `defaults`: by the names of all settings. */
export function describeSettings(
  environment: Environment,
  defaults: ReadonlyMap<string, string>,
): readonly SettingLine[] {
  const upstreams = Object.keys(environment)
    .map(settingNamed)
    .filter((name) => UPSTREAM.test(name))
  return [...new Set([...defaults.keys(), ...upstreams])]
    .toSorted()
    .flatMap((name): SettingLine[] => {
      const text = readSetting(environment, name)
      if (text === undefined) {
        const fallback = defaults.get(name)
        return fallback === undefined
          ? []
          : [{ name, value: fallback, ending: null, source: 'default' }]
      }
      const source = (environment[name]?.trim() ?? '') === '' ? 'file' : 'environment'
      return isSecretSetting(name) || HIDDEN.has(name) || hasSecretPart(text)
        ? [{ name, value: null, ending: isUrl(text) ? null : endingOf(text), source }]
        : [{ name, value: text, ending: null, source }]
    })
}

/** The last characters of a secret that is long enough to show them; else null. */
export function endingOf(secret: string): string | null {
  return secret.length < LEAST_LENGTH ? null : secret.slice(-SHOWN_CHARACTERS)
}

function isUrl(text: string): boolean {
  return text.includes('://')
}

/** An address with a password, or with a query that may have a token. */
function hasSecretPart(text: string): boolean {
  const url = isUrl(text) ? URL.parse(text) : null
  return url !== null && (url.username !== '' || url.password !== '' || url.search !== '')
}
