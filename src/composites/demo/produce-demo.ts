import type { JobHandler, JobTools } from '../../catalog/vocabulary/handlers.ts'
import type { Outcome } from '../../catalog/vocabulary/outcome.ts'
import { isSameSite } from '../../reader/video/same-site.ts'
import type { PageFacts, Surveyed } from '../../reader/video/survey-pages.ts'
import { choosePages } from './choose-pages.ts'
import {
  readPageUrl,
  stepsOf,
  type ProduceAutodemoInput,
  type ProduceDemoInput,
} from './demo-input.ts'
import { makeVideo, failWithoutVideo, visitRules, type DemoDeps } from './make-video.ts'
import { planDemo } from './plan-demo.ts'

/** The length of the video for each page. */
const SECONDS_PER_PAGE = 10
const MOST_FURTHER_PAGES = 4

/** `core/produce_demo`: records a script, or plans one from the brief and the contents of the pages. */
export function createProduceDemo(deps: DemoDeps): JobHandler {
  return async (data, tools) => {
    const {
      brief,
      script,
      urls = [],
      voice,
      aspect_ratio: aspectRatio,
      max_seconds: maxSeconds,
    } = data as ProduceDemoInput
    const request = { action: 'produce_demo', aspectRatio, maxSeconds, voice } as const
    if (script !== undefined)
      return unlessAborted(tools, () =>
        makeVideo(deps, tools, { ...request, script: stepsOf(script, urls), showsScript: false }),
      )
    return unlessAborted(tools, async () => {
      const addresses = urls.map((url, place) => readPageUrl(url, `urls[${place}]`))
      const surveyed = await deps.survey({
        urls: addresses,
        aspectRatio,
        accountId: tools.accountId,
        signal: tools.signal,
        ...visitRules(deps, tools),
      })
      const pages = factsOf(surveyed)
      if (pages.length === 0) return failWithoutVideo(flawsOf(surveyed))
      return makeVideo(deps, tools, {
        ...request,
        script: planDemo(pages, { maxSeconds, words: brief ?? '' }),
        onlyHosts: pages.map(({ url }) => new URL(url).host),
        showsScript: true,
      })
    })
  }
}

/** `core/produce_autodemo`: surveys a product's pages, plans a script without harmful clicks and records it. */
export function createProduceAutodemo(deps: DemoDeps): JobHandler {
  return async (data, tools) => {
    const {
      url,
      goal = '',
      voice,
      aspect_ratio: aspectRatio,
      max_seconds: maxSeconds,
    } = data as ProduceAutodemoInput
    return unlessAborted(tools, async () => {
      const survey = (urls: readonly string[], onlyHosts?: readonly string[]) =>
        deps.survey({
          urls,
          aspectRatio,
          accountId: tools.accountId,
          signal: tools.signal,
          ...visitRules(deps, tools, onlyHosts),
        })
      const first = await survey([readPageUrl(url, 'url')])
      const [home] = factsOf(first)
      if (home === undefined) return failWithoutVideo(flawsOf(first))
      const { host } = new URL(home.url)
      const chosen = choosePages(
        home,
        goal,
        Math.min(MOST_FURTHER_PAGES, Math.floor(maxSeconds / SECONDS_PER_PAGE) - 1),
      )
      // A link of the site may redirect to another site.
      const further =
        chosen.length === 0
          ? []
          : factsOf(await survey(chosen, [host])).filter(({ url: found }) =>
              isSameSite(new URL(found).host, host),
            )
      return makeVideo(deps, tools, {
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

/** Ends quietly if another worker took over the job or its time is up: the outcome is ignored. */
async function unlessAborted(tools: JobTools, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (!tools.signal.aborted) throw error
    return failWithoutVideo([{ error: 'cancelled' }])
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
