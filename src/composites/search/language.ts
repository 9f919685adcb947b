/**
 * The language for SearXNG: "de" or "pt-BR" from a language, a country or both. A country alone
 * stands for its most common language, whose pages its people read. Null for neither.
 */
export function languageOf(language: unknown, country: unknown): string | null {
  const region =
    typeof country === 'string' && /^[a-z]{2}$/i.test(country) ? country.toUpperCase() : undefined
  if (typeof language === 'string') return localeOf(language, region)
  return region === undefined ? null : localeOf('und', region)
}

function localeOf(language: string, region: string | undefined): string | null {
  try {
    const given = new Intl.Locale(language, region === undefined ? {} : { region })
    const { language: known, region: place } = language === 'und' ? given.maximize() : given
    // An unknown region becomes another one.
    if (place !== region && region !== undefined) return null
    return place === undefined ? known : `${known}-${place}`
  } catch {
    return null
  }
}
