import type { JobHandler, JobTools } from '../../catalog/vocabulary/handlers.ts'
import type { Outcome } from '../../catalog/vocabulary/outcome.ts'
import { isSameSite } from '../../reader/video/same-site.ts'
import type { PageFacts, Surveyed } from '../../reader/video/survey-pages.ts'
import { choosePages } from './choose-pages.ts'
import {
  addressOf,
  stepsOf,
  type ProduceAutodemoInput,
  type ProduceDemoInput,
} from './demo-input.ts'
import { makeFilm, nothingFilmed, visitRules, type DemoParts } from './make-film.ts'
import { planDemo } from './plan-demo.ts'

/** A page more is worth its time in a film that lasts so many seconds longer. */
const SECONDS_PER_PAGE = 10
const MOST_FURTHER_PAGES = 4

/** `core/produce_demo`: films a script, or plans one for the brief from what is to be seen on the pages. */
export function createProduceDemo(parts: DemoParts): JobHandler {
  return async (data, tools) => {
    const {
      brief,
      script,
      urls = [],
      voice,
      aspect_ratio: aspectRatio,
      max_seconds: maxSeconds,
    } = data as ProduceDemoInput
    const wish = { action: 'produce_demo', aspectRatio, maxSeconds, voice } as const
    if (script !== undefined)
      return unlessLeft(tools, () =>
        makeFilm(parts, tools, { ...wish, script: stepsOf(script, urls), showsScript: false }),
      )
    return unlessLeft(tools, async () => {
      const addresses = urls.map((url, place) => addressOf(url, `urls[${place}]`))
      const surveyed = await parts.survey({
        urls: addresses,
        aspectRatio,
        accountId: tools.accountId,
        signal: tools.signal,
        ...visitRules(parts, tools),
      })
      const pages = factsOf(surveyed)
      if (pages.length === 0) return nothingFilmed(flawsOf(surveyed))
      return makeFilm(parts, tools, {
        ...wish,
        script: planDemo(pages, { maxSeconds, words: brief ?? '' }),
        onlyHosts: pages.map(({ url }) => new URL(url).host),
        showsScript: true,
      })
    })
  }
}

/** `core/produce_autodemo`: looks at a product's pages, plans the script and films it, without touching what could do harm. */
export function createProduceAutodemo(parts: DemoParts): JobHandler {
  return async (data, tools) => {
    const {
      url,
      goal = '',
      voice,
      aspect_ratio: aspectRatio,
      max_seconds: maxSeconds,
    } = data as ProduceAutodemoInput
    return unlessLeft(tools, async () => {
      const look = (urls: readonly string[], onlyHosts?: readonly string[]) =>
        parts.survey({
          urls,
          aspectRatio,
          accountId: tools.accountId,
          signal: tools.signal,
          ...visitRules(parts, tools, onlyHosts),
        })
      const first = await look([addressOf(url, 'url')])
      const [home] = factsOf(first)
      if (home === undefined) return nothingFilmed(flawsOf(first))
      const { host } = new URL(home.url)
      const chosen = choosePages(
        home,
        goal,
        Math.min(MOST_FURTHER_PAGES, Math.floor(maxSeconds / SECONDS_PER_PAGE) - 1),
      )
      // A link of the site may lead on to another one.
      const further =
        chosen.length === 0
          ? []
          : factsOf(await look(chosen, [host])).filter(({ url: found }) =>
              isSameSite(new URL(found).host, host),
            )
      return makeFilm(parts, tools, {
        action: 'produce_autodemo',
        script: planDemo([home, ...further], { maxSeconds, words: goal }),
        aspectRatio,
        maxSeconds,
        voice,
        onlyHosts: [host],
        showsScript: true,
      })
    })
  }
}

/** A job that was left to another worker, or whose time is up, ends without a word: nobody listens here any more. */
async function unlessLeft(tools: JobTools, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (!tools.signal.aborted) throw error
    return nothingFilmed([{ error: 'cancelled' }])
  }
}

function factsOf(surveyed: readonly Surveyed[]): PageFacts[] {
  return surveyed.flatMap((one) => ('facts' in one ? [one.facts] : []))
}

function flawsOf(surveyed: readonly Surveyed[]) {
  return surveyed.flatMap((one) =>
    'flaw' in one
      ? [{ error: one.flaw, note: `The page could not be opened (${one.flaw}).`, url: one.url }]
      : [],
  )
}
