import { html, type Html } from '../html.ts'
import { dayText } from './text.ts'

/** `date`: YYYY-MM-DD. `share`: of the scale, 0 to 1. `text`: the amount. */
export type DayBar = { readonly date: string; readonly share: number; readonly text: string }

const [WIDTH, PITCH, HEIGHT] = [8, 10, 100]

/** One bar per day, oldest first, with the peak on its scale. A table of the page has the figures. */
export function dayBars(view: {
  readonly label: string
  readonly peak: string
  readonly bars: readonly DayBar[]
}): Html {
  const { label, peak, bars } = view
  const middle = bars[Math.floor((bars.length - 1) / 2)]
  const marked = [bars.at(0), middle, bars.at(-1)]
  return html`<figure class="day-bars"><p class="day-scale" aria-hidden="true"><span>${peak}</span><span>0</span></p>
<svg viewBox="0 0 ${bars.length * PITCH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}, at most ${peak}">${bars.map(
    ({ date, share, text }, place) => {
      const height = Math.ceil(share * HEIGHT)
      return html`<g><title>${dayText(date)}: ${text}</title><rect class="whole" x="${place * PITCH}" y="0" width="${PITCH}" height="${HEIGHT}"/><rect x="${place * PITCH + 1}" y="${HEIGHT - height}" width="${WIDTH}" height="${height}"/></g>`
    },
  )}</svg>
<p class="chart-axis">${marked.map((bar) => bar !== undefined && html`<span>${dayText(bar.date)}</span>`)}</p></figure>`
}
