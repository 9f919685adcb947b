/** Records a script, stores the video among the account's files and builds the job's answer. */
import type { Hop, JobTools } from '../../catalog/vocabulary/handlers.ts'
import { failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'
import type { Owner } from '../../lib/owner.ts'
import type { AspectRatio } from '../../reader/video/layout.ts'
import type { RecordDemo, Recording } from '../../reader/video/record-demo.ts'
import type { DemoStep, Scene } from '../../reader/video/step.ts'
import type { SurveyPages } from '../../reader/video/survey-pages.ts'
import { waiveUnusedLines, speakLines, type Narrate } from './speak-lines.ts'

/** A video among the account's files. */
export type StoredVideo = {
  readonly file_id: string
  readonly get_url: string
  readonly expires_at: string
  readonly size: number
}

export type DemoDeps = {
  readonly record: RecordDemo
  readonly survey: SurveyPages
  /** Stores a job's video. Replaces the video of an earlier run of the same job. */
  readonly store: (
    job: Pick<JobTools, keyof Owner | 'jobId'>,
    video: { readonly path: string; readonly filename: string; readonly source: string },
    signal: AbortSignal,
  ) => Promise<StoredVideo>
  /** Null if the gateway has no voice: captions only. */
  readonly narrate: Narrate | null
  /** The simulated page that test keys record instead of `url`. */
  readonly samplePage: (url: string) => string
}

export type VideoRequest = {
  readonly action: 'produce_demo' | 'produce_autodemo'
  readonly script: readonly DemoStep[]
  readonly aspectRatio: AspectRatio
  readonly maxSeconds: number
  /** For planned scripts: opens only these sites and changes nothing there. */
  readonly onlyHosts?: readonly string[] | undefined
  readonly voice: string | undefined
  /** Adds the script to the answer. */
  readonly showsScript: boolean
}

const NO_VOICE = 'This gateway has no speech service for demos, so captions show the narration.'
const SIMULATED =
  'Recorded with a test key: a built-in sample site replaces the real pages, which were not opened.'
const BAD_ADDRESS: ReadonlySet<string> = new Set(['blocked_address', 'bad_url'])

/** The rules for opening pages in this job. */
export function visitRules(
  { samplePage }: DemoDeps,
  { mode }: Pick<JobTools, 'mode'>,
  onlyHosts?: readonly string[],
) {
  return { samplePage: mode === 'test' ? samplePage : undefined, onlyHosts }
}

export async function makeVideo(
  deps: DemoDeps,
  tools: JobTools,
  request: VideoRequest,
): Promise<Outcome> {
  const { script, aspectRatio, maxSeconds } = request
  const speech = await speakLines(deps.narrate, tools, script, request.voice)
  const made = await deps.record(
    {
      ...visitRules(deps, tools, request.onlyHosts),
      script,
      aspectRatio,
      maxSeconds,
      speech: speech.sounds,
      accountId: tools.accountId,
      signal: tools.signal,
      whyStop: () => tools.stopReason(),
      onScene: (done) => tools.progress({ rows_done: done, rows_total: script.length }),
    },
    async (recording) => ({
      recording,
      file: await deps.store(
        tools,
        { path: recording.path, filename: filenameOf(recording), source: `core/${request.action}` },
        tools.signal,
      ),
    }),
  )
  if (!('result' in made)) return failWithoutVideo(made.scenes)
  const { recording, file } = made.result
  return deliver(tools, request, recording, file, waiveUnusedLines(tools, speech, recording.spoken))
}

function deliver(
  tools: JobTools,
  { script, aspectRatio, showsScript }: VideoRequest,
  { scenes, seconds, width, height, spoken }: Recording,
  file: StoredVideo,
  calls: readonly Hop[],
): Outcome {
  const missing = scenes.filter(({ ok }) => !ok)
  const data = {
    video_url: file.get_url,
    video_url_expires_at: file.expires_at,
    file_id: file.file_id,
    size: file.size,
    duration_seconds: seconds,
    width,
    height,
    aspect_ratio: aspectRatio,
    ...(showsScript ? { script } : {}),
    scenes,
    narration: narrationOf(script, spoken, calls),
    ...(tools.mode === 'test' ? { simulated: true, note: SIMULATED } : {}),
    calls,
    next: writeAdvice(missing),
    spent_cents: toCentsRoundedUp(tools.budget.spent()),
    spent_micros: Number(tools.budget.spent()),
    budget_cents: toCentsRoundedUp(tools.budget.total),
  }
  return { kind: missing.length === 0 ? 'done' : 'partial', data, actual: tools.budget.spent() }
}

function narrationOf(
  script: readonly DemoStep[],
  spoken: readonly number[],
  calls: readonly Hop[],
) {
  const lines = script.filter(({ say }) => say !== undefined).length
  if (spoken.length === lines && lines > 0) return { kind: 'speech' }
  const note =
    calls.length === 0
      ? NO_VOICE
      : `${spoken.length} of ${lines} lines are spoken, the others are captions. "calls" gives the reason.`
  return { kind: spoken.length > 0 ? 'speech' : 'captions', note }
}

function writeAdvice(missing: readonly Scene[]): string {
  const link = 'video_url works for an hour; files/get with file_id returns a fresh link.'
  if (missing.length === 0) return link
  if (missing.every(({ error }) => error === 'out of time'))
    return `${link} The last ${missing.length} steps did not fit. Raise max_seconds or shorten the script.`
  if (missing.at(-1)?.error === 'cancelled')
    return `${link} The job was cancelled, and the video ends there.`
  return `${link} ${missing.length} steps are not in the video; "note" of each scene gives the reason.`
}

/** The failure of a job without a video, not charged. */
export function failWithoutVideo(scenes: readonly Pick<Scene, 'error' | 'note'>[]): Outcome {
  const [first] = scenes
  if (first?.error === 'cancelled')
    return failed(
      'job_cancelled',
      'The job was cancelled before anything was recorded. Nothing was charged.',
    )
  const isBadAddress = scenes.length > 0 && scenes.every(({ error = '' }) => BAD_ADDRESS.has(error))
  const reason = first?.note ?? 'No page could be opened.'
  return failed(
    isBadAddress ? 'bad_url' : 'no_results',
    `There is nothing to record: ${reason} Nothing was charged.`,
    { scenes },
  )
}

function filenameOf({ scenes }: Recording): string {
  const url = scenes.find(({ ok }) => ok)?.url ?? null
  const host = url === null ? 'page' : new URL(url).hostname.replace(/^www\./, '')
  return `demo-${host}.mp4`
}
