/** Names, versions and ecosystems of software packages. */

export const VERSION = /\bv?\d{1,4}(?:\.\d{1,4}){1,3}(?:[-+][\w.]{1,20})?\b/

const ECOSYSTEMS: Readonly<Record<string, RegExp>> = {
  npm: /\bnpm\b|\bnode(?:\.?js)? package/i,
  PyPI: /\bpypi\b|\bpip\b|\bpython package/i,
  Maven: /\bmaven\b/i,
  Go: /\bgo(?:lang)? (?:module|package)/i,
  NuGet: /\bnuget\b/i,
  RubyGems: /\brubygems?\b|\bgem\b/i,
  'crates.io': /\bcrates?(?:\.io)?\b|\bcargo\b/i,
  Packagist: /\bpackagist\b|\bcomposer package/i,
}

export function ecosystemIn(intent: string): string {
  return Object.entries(ECOSYSTEMS).find(([, pattern]) => pattern.test(intent))?.[0] ?? ''
}

/** The word before a version ("lodash 4.17.15", "lodash@4.17.15") or after "package". */
export function packageIn(intent: string): string {
  return (
    /(@?[a-z][\w./-]{0,80}[\w])(?:@| (?:version )?)v?\d{1,4}\.\d/i.exec(intent)?.[1] ??
    /\b(?:package|library|module|crate|gem) ([a-z][\w./-]{1,80})/i.exec(intent)?.[1] ??
    ''
  )
}
