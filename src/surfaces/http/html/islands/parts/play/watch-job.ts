import { element } from './element.ts'
import { sendCall, type Mode, type Sent } from './send-call.ts'
import { timeText } from './show-answer.ts'

const WAIT_SECONDS = 5
const RETRY_MS = 3000
const RESULT = { service: 'core', action: 'result' } as const
const CANCEL = { service: 'core', action: 'cancel' } as const

type Job = {
  readonly job_id: string
  readonly status: string
  readonly finished_at?: string | null
  readonly charged_micros?: number
  readonly error?: { readonly message: string; readonly fix?: string }
  /** Counts such as rows_done and rows_total, and the amount spent. */
  readonly progress?: Readonly<Record<string, number>>
}

/** The end of a job as a response: the charge and the id are those of the call that started it. */
export type JobEnd = Sent & { readonly failure: string }

/** The id of the job that an answer started, or null. */
export function jobOf(data: unknown): string | null {
  const { job_id: id, async: isAsync } = (data ?? {}) as { job_id?: unknown; async?: unknown }
  return isAsync === true && typeof id === 'string' ? id : null
}

/**
 * Shows the progress of a job with a button that cancels it, and resolves with the response that has its
 * end.
 */
export async function watchJob(place: HTMLElement, mode: Mode, jobId: string): Promise<JobEnd> {
  const startMs = performance.now()
  const bar = element('progress', '')
  bar.setAttribute('aria-label', 'Progress of the job')
  const text = element('span', '', 'Queued')
  const cancel = element('button', 'button quiet small', 'Cancel job')
  cancel.type = 'button'
  cancel.addEventListener('click', () => {
    cancel.disabled = true
    cancel.textContent = 'Cancelling…'
    void sendCall(mode, CANCEL, { job_id: jobId })
      .then(({ status }) => status < 400)
      .catch(() => false)
      .then((isCancelled) => {
        if (isCancelled) return
        cancel.disabled = false
        cancel.textContent = 'Cancel job'
      })
  })
  const line = element('div', 'play-job', bar, text, cancel)
  place.replaceChildren(line)
  try {
    while (true) {
      const sent = await poll(mode, jobId)
      const job = sent.body?.data as Job | undefined
      if (sent.status >= 400 || job === undefined || (job.finished_at ?? null) !== null)
        return toEnd(sent, job, Math.round(performance.now() - startMs))
      showProgress(bar, job)
      text.textContent = `${describe(job)} · ${timeText(Math.round(performance.now() - startMs))}`
    }
  } finally {
    line.remove()
  }
}

function toEnd(sent: Sent, job: Job | undefined, ms: number): JobEnd {
  const error = job?.error ?? sent.body?.error
  return {
    ...sent,
    ms,
    failure: error === undefined ? '' : `${error.message} ${error.fix ?? ''}`.trim(),
    ...(job === undefined
      ? {}
      : {
          chargedMicros: job.charged_micros ?? 0,
          requestId: job.job_id.replace(/^job_/, 'req_'),
        }),
  }
}

/** A lost connection or a full gateway is retried, because the job continues. */
async function poll(mode: Mode, jobId: string): Promise<Sent> {
  while (true) {
    try {
      const input = { job_id: jobId, wait_s: WAIT_SECONDS }
      const sent = await sendCall(mode, RESULT, input)
      if (sent.status < 500 && sent.status !== 429) return sent
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

function showProgress(bar: HTMLProgressElement, { progress = {} }: Job): void {
  const total = Object.entries(progress).find(([name]) => name.endsWith('_total'))
  if (total === undefined || total[1] <= 0) return
  bar.value = (progress[total[0].replace(/_total$/, '_done')] ?? 0) / total[1]
}

function describe({ status, progress = {} }: Job): string {
  const word = status.charAt(0).toUpperCase() + status.slice(1)
  const counts = Object.entries(progress).filter(([name]) => !name.startsWith('spent_'))
  return [word, ...counts.map(([name, count]) => `${name.replaceAll('_', ' ')} ${count}`)].join(
    ' · ',
  )
}
