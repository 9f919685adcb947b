/** The chart of the home page: hover shows the figures of a day, and a drag chooses days. */
import uPlot from 'uplot'
import { priceText } from './parts/play/price-text.ts'

type ChartData = {
  readonly dates: readonly string[]
  /** The dates as the page shows them. */
  readonly labels: readonly string[]
  readonly calls: readonly number[]
  readonly released: readonly number[]
  readonly groups: readonly {
    readonly name: string
    readonly color: number
    readonly dollars: readonly number[]
  }[]
}

const HEIGHT = 220
const DAY_SECONDS = 86_400
const LABEL_WIDTH = 90

for (const box of document.querySelectorAll<HTMLElement>('[data-chart]')) start(box)

function start(box: HTMLElement): void {
  const data = JSON.parse(box.dataset['chart'] ?? '{}') as ChartData
  const tip = document.createElement('div')
  tip.className = 'chart-tip'
  tip.hidden = true
  box.replaceChildren(tip)
  box.classList.add('live')
  let plot = draw(box, data, tip)
  const again = (): void => {
    plot.destroy()
    plot = draw(box, data, tip)
  }
  new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT })).observe(box)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again)
  new MutationObserver(again).observe(document.documentElement, { attributeFilter: ['data-theme'] })
}

function draw(box: HTMLElement, data: ChartData, tip: HTMLElement): uPlot {
  const times = data.dates.map((date) => Date.parse(`${date}T12:00:00Z`) / 1000)
  const tops = stackedTops(data)
  const bars = uPlot.paths.bars?.({ size: [0.72, 48] })
  const [line, ink] = [colorOf(box, '--line'), colorOf(box, '--ink-3')]
  // The highest sums are drawn first, and lower ones over them.
  const order = data.groups.map((_, at) => at).toReversed()
  return new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
      scales: {
        x: {
          time: true,
          range: (_plot, least, most) => [least - DAY_SECONDS / 2, most + DAY_SECONDS / 2],
        },
        y: { range: (_plot, _least, most) => [0, (most ?? 0) > 0 ? most * 1.1 : 1] },
      },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      axes: [
        {
          stroke: ink,
          grid: { show: false },
          ticks: { show: false },
          font: '12px Inter Variable',
          // Below the middle of a bar, and the last one below today's.
          splits: (plot) => lastOfEach(times, Math.ceil((times.length * LABEL_WIDTH) / plot.width)),
          values: (_plot, splits) =>
            splits.map((seconds) => data.labels[times.indexOf(seconds)] ?? ''),
        },
        {
          stroke: ink,
          grid: { stroke: line, width: 1 },
          ticks: { show: false },
          font: '12px Inter Variable',
          size: 62,
          values: (_plot, splits) => splits.map((dollars) => money(dollars)),
        },
      ],
      series: [
        {},
        ...order.map((at) => ({
          fill: colorOf(box, `--c${data.groups[at]?.color ?? 6}`),
          stroke: colorOf(box, '--surface'),
          width: 1,
          points: { show: false },
          ...(bars === undefined ? {} : { paths: bars }),
        })),
      ],
      hooks: {
        setCursor: [(plot) => showTip(plot, data, tip)],
        setSelect: [(plot) => openRange(plot, data, box)],
      },
    },
    [times, ...order.map((at) => [...(tops[at] ?? [])])],
    box,
  )
}

/** The last time and every `step`th one before it, oldest first. */
function lastOfEach(times: readonly number[], step: number): number[] {
  return times.filter((_, at) => (times.length - 1 - at) % step === 0)
}

/** For each group, its charges and those of all groups before it. */
function stackedTops({ dates, groups }: ChartData): number[][] {
  const below = dates.map(() => 0)
  return groups.map(({ dollars }) =>
    dates.map((_, day) => {
      below[day] = (below[day] ?? 0) + (dollars[day] ?? 0)
      return below[day]
    }),
  )
}

function showTip(plot: uPlot, data: ChartData, tip: HTMLElement): void {
  const { idx, left = 0 } = plot.cursor
  tip.hidden = idx === null || idx === undefined || left < 0
  if (tip.hidden || idx === null || idx === undefined) return
  const total = data.groups.reduce((sum, { dollars }) => sum + (dollars[idx] ?? 0), 0)
  tip.replaceChildren(
    row(data.labels[idx] ?? '', money(total), 'head'),
    ...data.groups
      .filter(({ dollars }) => (dollars[idx] ?? 0) > 0)
      .map(({ name, color, dollars }) => row(name, money(dollars[idx] ?? 0), `c${color}`)),
    row(`${count(data.calls[idx])} calls, ${count(data.released[idx])} not charged`, '', 'foot'),
  )
  const isRight = left > plot.over.clientWidth / 2
  const x = plot.over.offsetLeft + left
  tip.style.left = `${isRight ? x - tip.offsetWidth - 16 : x + 16}px`
}

function row(name: string, amount: string, kind: string): HTMLElement {
  const line = document.createElement('p')
  line.className = kind
  const [label, value] = [document.createElement('span'), document.createElement('span')]
  label.textContent = name
  value.textContent = amount
  line.append(label, value)
  return line
}

/** Opens the page of the chosen days, which everything below the chart follows. */
function openRange(plot: uPlot, { dates }: ChartData, box: HTMLElement): void {
  const { left, width } = plot.select
  if (width < 4) return
  const [first, last] = [plot.posToIdx(left), plot.posToIdx(left + width)]
  location.href = (box.dataset['rangeUrl'] ?? '')
    .replace('SINCE', dates[first] ?? '')
    .replace('UNTIL', dates[last] ?? '')
}

/** Canvases need a color, and custom properties hold one for each theme. */
function colorOf(box: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  box.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function count(calls = 0): string {
  return calls.toLocaleString('en')
}

function money(dollars: number): string {
  return dollars === 0 ? '0' : priceText(Math.round(dollars * 1_000_000))
}
