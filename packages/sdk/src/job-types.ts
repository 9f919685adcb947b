declare const ANSWER: unique symbol

/** `data` of a call that started a job. `Answer` is the type of the job's result. */
export type StartedJob<Answer = unknown> = {
  readonly job_id: string
  readonly status: 'queued'
  readonly async: true
  /** Exists in types only. */
  readonly [ANSWER]?: Answer
}

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed'

/** A job, as `core/result` returns it. */
export type Job<Answer = unknown> = {
  readonly job_id: string
  readonly service: string
  readonly action: string
  readonly status: JobStatus
  readonly cancelled?: boolean
  readonly attempt: number
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly deadline_at: string
  readonly charged_cents: number
  readonly charged_micros: number
  readonly budget_cents: number
  /** While the job runs. */
  readonly progress?: Readonly<Record<string, unknown>> & {
    readonly spent_cents: number
    readonly spent_micros: number
  }
  readonly result?: Answer
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly param?: string
    readonly fix?: string
    readonly retryable?: boolean
    readonly details?: Readonly<Record<string, unknown>>
  }
}
