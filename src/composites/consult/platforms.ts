/** Platforms with their own actions. */
const PLATFORMS: Readonly<Record<string, RegExp>> = {
  tiktok: /tiktok/i,
  instagram: /instagram|\big reels?\b/i,
  youtube: /youtube|youtu\.be/i,
  twitter: /twitter|\btweets?\b|\bx\.com\b|\bon x\b/i,
  reddit: /reddit/i,
  facebook: /facebook/i,
  linkedin: /linked\s?in/i,
  threads: /\bthreads\b/i,
  github: /github/i,
  bilibili: /bilibili/i,
  weibo: /weibo/i,
  douyin: /douyin/i,
  xiaohongshu: /xiaohongshu|rednote/i,
  kuaishou: /kuaishou/i,
  zhihu: /zhihu/i,
  pinterest: /pinterest/i,
  telegram: /telegram/i,
  glassdoor: /glassdoor/i,
  amazon: /\bamazon\b/i,
  airbnb: /airbnb/i,
  'google-maps': /google[ -]maps/i,
  polymarket: /polymarket/i,
  kalshi: /kalshi/i,
}

/** The search uses these names, too. */
export function platformsIn(text: string): string[] {
  return Object.entries(PLATFORMS).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []))
}

const OTHER_FACTOR = 0.4
const UNNAMED_FACTOR = 0.75
const SAME_FACTOR = 1.15
const GENERAL_FACTOR = 0.9

/** A factor for an action by the platforms in its names (`about`) and in the intent. */
export function platformFit(intent: string, about: string): number {
  const offered = platformsIn(about)
  const all = platformsIn(intent)
  // "Reddit threads" are not on the platform Threads.
  const named = all.length > 1 ? all.filter((name) => name !== 'threads') : all
  if (offered.length === 0) return named.length === 0 ? 1 : GENERAL_FACTOR
  if (named.length === 0) return UNNAMED_FACTOR
  return named.some((name) => offered.includes(name)) ? SAME_FACTOR : OTHER_FACTOR
}
