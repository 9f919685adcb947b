/** One page as the scraping vendors return it: the requested formats and the page's own status. */
import { pageFor, SCREENSHOT, SHELL, toHtml, toMarkdown, WALL } from './content.ts'
import { faultOf, isPageFault, type PageFault } from './faults.ts'

export type ScrapedPage = {
  readonly fault: PageFault | undefined
  readonly statusCode: number
  readonly title: string
  readonly description: string
  readonly content: Readonly<Record<string, unknown>>
}

export function scrapePage(
  address: string,
  label: string,
  formats: readonly string[],
  onlyMainContent: boolean,
): ScrapedPage {
  const requested = faultOf(address, label)
  const fault = requested !== undefined && isPageFault(requested) ? requested : undefined
  const statusCode = fault?.kind === 'page' ? fault.status : 200
  const page = pageFor(address)
  const special =
    fault?.kind === 'wall'
      ? WALL
      : fault?.kind === 'thin'
        ? SHELL
        : fault?.kind === 'page'
          ? errorPage(fault.status)
          : undefined
  const available = new Map<string, () => unknown>([
    ['markdown', () => special?.markdown ?? toMarkdown(page)],
    ['html', () => special?.html ?? toHtml(page, { mainOnly: onlyMainContent })],
    ['rawHtml', () => special?.html ?? toHtml(page)],
    ['plainText', () => special?.markdown ?? toMarkdown(page).replaceAll(/[#*]/g, '')],
    ['links', () => (special === undefined ? page.links : [])],
    ['screenshot', () => SCREENSHOT],
    ['json', () => ({ simulated: true, title: page.title })],
  ])
  const content = Object.fromEntries(
    formats
      .filter((format) => available.has(format))
      .map((format) => [format, available.get(format)?.()]),
  )
  return {
    fault,
    statusCode,
    title: special?.title ?? page.title,
    description: special === undefined ? page.description : '',
    content,
  }
}

function errorPage(status: number) {
  const title = `${status} simulated error page`
  return {
    title,
    markdown: `# ${title}`,
    html: `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  }
}
