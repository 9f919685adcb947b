const REFRESH_MS = 30_000
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
const MOST_DAYS = 7

/** Shows times as relative ones, or as local ones after a week; the title has the exact time. */
export function startTimes(): void {
  showTimes(document)
  // Finds the times again, because other scripts replace parts of the page.
  setInterval(() => document.visibilityState === 'visible' && showTimes(document), REFRESH_MS)
}

/** Call it for a part of a page before the reader sees it. */
export function showTimes(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLTimeElement>('time[datetime]'))
    if (element.dateTime.includes('T')) showTime(element, Date.now())
}

function showTime(element: HTMLTimeElement, now: number): void {
  const at = new Date(element.dateTime)
  if (Number.isNaN(at.getTime())) return
  element.title = `${at.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })} · ${element.dateTime}`
  element.textContent =
    element.dataset['time'] === 'absolute' ? localTime(at, now) : relativeTime(at, now)
}

function relativeTime(at: Date, now: number): string {
  const seconds = Math.round((at.getTime() - now) / 1000)
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  const count = Math.trunc(seconds / size)
  if (unit === 'day' && Math.abs(count) > MOST_DAYS) return localTime(at, now)
  if (unit === 'second' && Math.abs(seconds) < 10) return 'now'
  return new Intl.RelativeTimeFormat('en', { style: 'short', numeric: 'always' }).format(
    count,
    unit,
  )
}

function localTime(at: Date, now: number): string {
  const sameYear = at.getFullYear() === new Date(now).getFullYear()
  return new Intl.DateTimeFormat('en', {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? { hour: '2-digit', minute: '2-digit', hour12: false } : { year: 'numeric' }),
  }).format(at)
}
