/** Waiting for a job, with a progress bar on a terminal. */
import type { Job, Tollgate } from '../../../sdk/src/index.ts'
import type { Deps, Report } from '../command.ts'
import { Interrupted } from '../interrupted.ts'
import { dollars } from '../output/money.ts'
import { note } from '../output/notes.ts'
import { createProgressBar } from '../output/progress-bar.ts'
import { renderData } from '../output/render-data.ts'
import { widthFor } from '../terminal.ts'

const EVERY_S = 2
const EVERY_S_WITHOUT_BAR = 30

/** The report of a finished job. Throws TollgateError with the code of a failed job. */
export async function finishJob(client: Tollgate, id: string, deps: Deps): Promise<Report> {
  await watchWithBar(client, id, deps)
  const job = await client.waitFor(id, { signal: deps.signal })
  note(deps, `Charged ${dollars(job.charged_micros)} · ${id}`)
  return reportResult(job, deps)
}

export function reportResult(job: Job, { terminal }: Deps): Report {
  return {
    data: job.result ?? null,
    text: renderData(job.result ?? null, widthFor(terminal)),
    facts: { job_id: job.job_id, charged_micros: job.charged_micros },
  }
}

type Progress = {
  readonly rows_done?: unknown
  readonly rows_total?: unknown
  readonly spent_micros?: number
}

/** Empty after the end of the job. */
export function progressOf({ progress }: Job): Progress {
  return progress ?? {}
}

async function watchWithBar(client: Tollgate, id: string, deps: Deps): Promise<void> {
  const { terminal, signal } = deps
  const bar = createProgressBar(terminal, id.slice(0, 16))
  const startMs = performance.now()
  const everyS = terminal.errColumns === null ? EVERY_S_WITHOUT_BAR : EVERY_S
  try {
    for await (const state of client.watch(id, { everyS, signal })) {
      const { rows_done: done, rows_total: total, spent_micros: spent } = progressOf(state)
      const elapsedS = Math.round((performance.now() - startMs) / 1000)
      const facts = [
        state.status,
        ...(typeof total === 'number' ? [`${String(done)} of ${total}`] : []),
        dollars(spent ?? state.charged_micros),
        `${elapsedS} s`,
      ]
      const [part, whole] = state.status === 'succeeded' ? [1, 1] : [Number(done ?? 0), total]
      bar.show(part, typeof whole === 'number' ? whole : null, facts.join(' · '))
    }
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Interrupted(
      `The job continues. Wait for it: ${terminal.program} jobs wait ${id}\nCancel it: ${terminal.program} jobs cancel ${id}`,
    )
  } finally {
    bar.end()
  }
}
