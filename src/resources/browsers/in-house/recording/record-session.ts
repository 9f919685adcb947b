/** Makes a video of a session while it runs. */
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Screencast } from '../view/screencast.ts'

/** Encodes JPEG images of any size, `FRAMES_PER_SECOND` of them a second. */
export type VideoEncoder = {
  /** Writes an image as the next `count` frames. Waits while the encoder is behind; rejects after its end. */
  write(jpeg: Buffer, count: number): Promise<void>
  /** Rejects if the file is no video. */
  finish(): Promise<void>
  /** Kills the encoder if it still runs. */
  stop(): void
}

export type Recorder = {
  /** For unfinished videos, each in a folder of its own. */
  readonly folder: string
  /** The encoder may see the folder of the path. Rejects with AppError without the program. */
  readonly startEncoder: (path: string) => Promise<VideoEncoder>
  /** Stores a finished video, or records that there is no video (null). */
  readonly store: (session: string, path: string | null) => Promise<void>
  readonly onError: (error: unknown) => void
}

export type SessionRecording = {
  /** The video is stored, or there is no video. Never rejects. */
  readonly saved: Promise<void>
}

/** As many as the screencast shows. */
export const RECORDED_FRAMES_PER_SECOND = 5
const FRAME_MS = 1_000 / RECORDED_FRAMES_PER_SECOND
/** A part without changes becomes this long. */
const LONGEST_STILL_FRAMES = 10 * RECORDED_FRAMES_PER_SECOND
/** Frames that an encoder may be behind. */
const MOST_OWED_FRAMES = 5 * RECORDED_FRAMES_PER_SECOND
const FINISH_TIMEOUT_MS = 60_000

/** Records until `ended`. Never throws: a session continues without its recording. */
export function recordSession(
  { folder, startEncoder, store, onError }: Recorder,
  {
    session,
    screencast,
    ended,
  }: { readonly session: string; readonly screencast: Screencast; readonly ended: Promise<void> },
): SessionRecording {
  const path = join(folder, session, 'video.mp4')
  let latest: Buffer | null = null
  /** Frames of the present image so far, and frames that are not written yet. */
  let still = 0
  let owed = 0
  let encoder: VideoEncoder | null = null
  let writing: Promise<void> | null = null
  let isFull = false

  const leave = screencast.follow((jpeg) => {
    latest = jpeg
    still = 0
  })
  const timer = setInterval(tick, FRAME_MS).unref()

  function tick(): void {
    if (latest === null || isFull) return
    if (still < LONGEST_STILL_FRAMES) {
      still += 1
      owed = Math.min(owed + 1, MOST_OWED_FRAMES)
    }
    if (owed > 0) writing ??= write(latest).finally(() => (writing = null))
  }

  /** The encoder ends itself at the size limit; then the video ends there. */
  async function write(jpeg: Buffer): Promise<void> {
    const count = owed
    owed = 0
    try {
      encoder ??= await start()
      await encoder.write(jpeg, count)
    } catch (error) {
      isFull = true
      if (encoder === null) onError(error)
    }
  }

  async function start(): Promise<VideoEncoder> {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return startEncoder(path)
  }

  async function finish(): Promise<boolean> {
    clearInterval(timer)
    leave()
    const stop = (): void => encoder?.stop()
    const late = setTimeout(stop, FINISH_TIMEOUT_MS).unref()
    try {
      await writing
      await encoder?.finish()
      return encoder !== null
    } finally {
      clearTimeout(late)
      stop()
    }
  }

  async function save(): Promise<void> {
    await ended
    try {
      const isMade = await finish().catch((error: unknown) => {
        onError(error)
        return false
      })
      await store(session, isMade ? path : null)
    } catch (error) {
      onError(error)
    } finally {
      await rm(dirname(path), { recursive: true, force: true }).catch(onError)
    }
  }

  return { saved: save() }
}
