const MAX_COOKIES = 50

/** The cookies of one chain of redirects. Some sites redirect forever without them. */
export type CookieJar = {
  store(url: URL, setCookie: string | string[] | undefined): void
  header(url: URL): string | undefined
}

export function createCookieJar(): CookieJar {
  const cookies = new Map<
    string,
    { domain: string; hostOnly: boolean; secure: boolean; pair: string }
  >()
  return {
    store(url, setCookie) {
      for (const line of [setCookie ?? []].flat()) {
        const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
        const domain = attributes
          .find((part) => /^domain=/i.test(part))
          ?.slice(7)
          .replace(/^\./, '')
          .toLowerCase()
        if (!/^[^=\s]+=/.test(pair) || cookies.size >= MAX_COOKIES) continue
        if (domain !== undefined && !isWithin(url.hostname, domain)) continue
        const owner = domain ?? url.hostname
        const secure = attributes.some((part) => /^secure$/i.test(part))
        cookies.set(`${owner} ${pair.slice(0, pair.indexOf('='))}`, {
          domain: owner,
          hostOnly: domain === undefined,
          secure,
          pair,
        })
      }
    },
    header(url) {
      const sent = [...cookies.values()].filter(
        (cookie) =>
          (cookie.hostOnly
            ? url.hostname === cookie.domain
            : isWithin(url.hostname, cookie.domain)) &&
          (!cookie.secure || url.protocol === 'https:'),
      )
      return sent.length === 0 ? undefined : sent.map(({ pair }) => pair).join('; ')
    },
  }
}

function isWithin(hostname: string, domain: string): boolean {
  return hostname === domain || (domain.includes('.') && hostname.endsWith(`.${domain}`))
}
