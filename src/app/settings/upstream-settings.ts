import type { UpstreamSettings } from '../../calls/lanes/endpoints.ts'
import { StartError } from '../../errors/start-error.ts'
import {
  isWebUrl,
  invalidUrl,
  readSetting,
  settingNamed,
  type Environment,
} from './settings-reader.ts'

const UPSTREAM_VARIABLE = /^UPSTREAM_([A-Z][A-Z0-9]*(?:_[A-D])?)_([A-Z][A-Z0-9_]*)$/

/** UPSTREAM_<LABEL>_KEY, UPSTREAM_<LABEL>_<NAME> and UPSTREAM_<LABEL>_URL. A label is a service name in capitals, with "_" for "-". Throws StartError. */
export function readUpstreamSettings(environment: Environment): Map<string, UpstreamSettings> {
  const upstreams = new Map<string, { url: string | null; credentials: Record<string, string> }>()
  for (const variable of new Set(Object.keys(environment).map(settingNamed))) {
    const match = UPSTREAM_VARIABLE.exec(variable)
    const text = match === null ? undefined : readSetting(environment, variable)
    if (match === null || text === undefined) continue
    const label = (match[1] ?? '').toLowerCase().replaceAll('_', '-')
    const name = match[2] ?? ''
    const settings = upstreams.get(label) ?? { url: null, credentials: {} }
    upstreams.set(label, settings)
    // Never repeated in the message: it is a secret.
    if (/\p{Cc}/u.test(text))
      throw new StartError(
        `${variable} contains a line break or another control character. Set it to one line.`,
      )
    if (name !== 'URL') settings.credentials[name] = text
    else if (isWebUrl(text)) settings.url = text
    else throw invalidUrl(variable, text)
  }
  return upstreams
}
