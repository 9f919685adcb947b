/**
 * Measures the page judge: known walls and shells, status 200 assumed, and false alarms over pages of real content.
 *   npx node bench/pages/judge.ts --walls <folder with labels.jsonl> --gold <folder of the gold sets> [--step 1]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { extractContent } from '../../src/reader/extract/extract.ts'
import { judgePage, type Verdict } from '../../src/reader/judge/judge.ts'
import { goldPages, quantile } from './gold.ts'

const { values } = parseArgs({
  options: {
    walls: { type: 'string' },
    gold: { type: 'string' },
    step: { type: 'string', default: '1' },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const ms: number[] = []

function judge(html: string, url: string, withHtml: boolean): Verdict {
  const { content, title } = extractContent({ html, url, format: 'markdown', mainContent: true })
  const started = performance.now()
  const verdict = judgePage({
    ...(withHtml ? { html } : {}),
    content,
    title,
    status: 200,
    finalUrl: url,
  })
  ms.push(performance.now() - started)
  return verdict
}

if (values.walls !== undefined) {
  const labels = readFileSync(join(values.walls, 'labels.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; label: string })
  for (const withHtml of [true, false]) {
    const wrong = labels.filter(({ id, label }) => {
      const flag = judge(
        readFileSync(join(values.walls ?? '', `${id}.html`), 'utf8'),
        'https://site.example/',
        withHtml,
      ).flags[0]
      // Without the source, a wall of scripts looks like a shell: any flag counts.
      return withHtml
        ? flag !== (label === 'thin' ? 'thin_content' : 'blocked')
        : flag === undefined
    })
    print(
      `walls and shells, ${withHtml ? 'source known' : 'content only'}: ${labels.length - wrong.length} of ${labels.length} right${wrong.map(({ id }) => `\n  wrong: ${id}`).join('')}`,
    )
  }
}
if (values.gold !== undefined) {
  for (const withHtml of [true, false]) {
    const flags = { blocked: [] as string[], thin_content: [] as string[] }
    let pages = 0
    for (const set of ['wcxb-dev', 'trafilatura'] as const) {
      for await (const page of goldPages(values.gold, set, Number(values.step))) {
        pages += 1
        const verdict = judge(page.html, page.url, withHtml)
        for (const flag of verdict.flags)
          flags[flag].push(
            `${verdict.reason} ${page.url} (gold ${page.gold?.split(/\s+/).length ?? '?'} words)`,
          )
      }
    }
    print(
      `real pages, ${withHtml ? 'source known' : 'content only'}: ${pages}, flagged blocked ${flags.blocked.length}, thin ${flags.thin_content.length}`,
    )
    for (const line of [
      ...flags.blocked.map((each) => `blocked ${each}`),
      ...flags.thin_content.map((each) => `thin ${each}`),
    ])
      print(`  ${line}`)
  }
}
print(
  `judging: ms p50 ${quantile(ms, 0.5).toFixed(2)} p95 ${quantile(ms, 0.95).toFixed(1)} max ${Math.max(...ms).toFixed(0)}`,
)
