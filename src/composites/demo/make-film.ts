/** From a script to the answer of the job: films it, keeps the film among the account's files, and says what is in it. */
import type { Hop, JobTools } from '../../catalog/vocabulary/handlers.ts'
import { failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'
import type { Owner } from '../../lib/owner.ts'
import type { AspectRatio } from '../../reader/video/layout.ts'
import type { RecordDemo, Recording } from '../../reader/video/record-demo.ts'
import type { DemoStep, Scene } from '../../reader/video/step.ts'
import type { SurveyPages } from '../../reader/video/survey-pages.ts'
import { settleLines, speakLines, type Narrate } from './speak-lines.ts'

/** A film among the account's files. */
export type KeptFilm = {
  readonly file_id: string
  readonly get_url: string
  readonly expires_at: string
  readonly size: number
}

export type DemoParts = {
  readonly record: RecordDemo
  readonly survey: SurveyPages
  /** Keeps the film of a job. A job that is done again keeps its new film in place of the one before. */
  readonly keep: (
    job: Pick<JobTools, keyof Owner | 'jobId'>,
    film: { readonly path: string; readonly filename: string; readonly source: string },
    signal: AbortSignal,
  ) => Promise<KeptFilm>
  /** Null while demos have no voice: captions only. */
  readonly narrate: Narrate | null
  /** The page that stands in for any other one with a test key. */
  readonly samplePage: (url: string) => string
}

export type FilmWish = {
  readonly action: 'produce_demo' | 'produce_autodemo'
  readonly script: readonly DemoStep[]
  readonly aspectRatio: AspectRatio
  readonly maxSeconds: number
  /** Only these sites are opened, and nothing is changed there: for scripts that nobody wrote. */
  readonly onlyHosts?: readonly string[] | undefined
  readonly voice: string | undefined
  /** The script is part of the answer, since the caller has not seen it. */
  readonly showsScript: boolean
}

const NO_VOICE =
  'This gateway has no speech service that a demo can use: the narration is shown as captions.'
const SIMULATED =
  'Made with a test key: a built-in sample site stands in for the real pages, which were not opened.'
const BAD_ADDRESS: ReadonlySet<string> = new Set(['blocked_address', 'bad_url'])

/** The rules under which pages are opened for this job. */
export function visitRules(
  { samplePage }: DemoParts,
  { mode }: Pick<JobTools, 'mode'>,
  onlyHosts?: readonly string[],
) {
  return { samplePage: mode === 'test' ? samplePage : undefined, onlyHosts }
}

export async function makeFilm(
  parts: DemoParts,
  tools: JobTools,
  wish: FilmWish,
): Promise<Outcome> {
  const { script, aspectRatio, maxSeconds } = wish
  const speech = await speakLines(parts.narrate, tools, script, wish.voice)
  const made = await parts.record(
    {
      ...visitRules(parts, tools, wish.onlyHosts),
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
      file: await parts.keep(
        tools,
        { path: recording.path, filename: filenameOf(recording), source: `core/${wish.action}` },
        tools.signal,
      ),
    }),
  )
  if (!('kept' in made)) return nothingFilmed(made.scenes)
  const { recording, file } = made.kept
  return delivered(tools, wish, recording, file, settleLines(tools, speech, recording.spoken))
}

function delivered(
  tools: JobTools,
  { script, aspectRatio, showsScript }: FilmWish,
  { scenes, seconds, width, height, spoken }: Recording,
  file: KeptFilm,
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
    next: adviceOn(missing),
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
  const why =
    calls.length === 0
      ? NO_VOICE
      : `${spoken.length} of ${lines} lines are spoken, the others are captions: "calls" says why.`
  return { kind: spoken.length > 0 ? 'speech' : 'captions', note: why }
}

function adviceOn(missing: readonly Scene[]): string {
  const link = 'video_url works for an hour; files/get with file_id gives a fresh one.'
  if (missing.length === 0) return link
  if (missing.every(({ error }) => error === 'out of time'))
    return `${link} The last ${missing.length} steps did not fit: raise max_seconds or shorten the script.`
  if (missing.at(-1)?.error === 'cancelled')
    return `${link} The job was cancelled; the film ends there.`
  return `${link} ${missing.length} steps are not in the film; "note" of each scene says why.`
}

/** Nothing was kept, so nothing is charged. */
export function nothingFilmed(scenes: readonly Pick<Scene, 'error' | 'note'>[]): Outcome {
  const [first] = scenes
  if (first?.error === 'cancelled')
    return failed(
      'job_cancelled',
      'The job was cancelled before anything was filmed. Nothing was charged.',
    )
  const isBadAddress = scenes.length > 0 && scenes.every(({ error = '' }) => BAD_ADDRESS.has(error))
  const why = first?.note ?? 'No page could be opened.'
  return failed(
    isBadAddress ? 'bad_url' : 'no_results',
    `There is nothing to film: ${why} Nothing was charged.`,
    { scenes },
  )
}

function filenameOf({ scenes }: Recording): string {
  const url = scenes.find(({ ok }) => ok)?.url ?? null
  const host = url === null ? 'page' : new URL(url).hostname.replace(/^www\./, '')
  return `demo-${host}.mp4`
}
