import { basename, dirname } from 'node:path'
import { findFfmpeg } from '../../../reader/video/find-ffmpeg.ts'
import { startEncoder } from '../../../reader/video/encoder.ts'
import {
  RECORDED_FRAMES_PER_SECOND,
  type Recorder,
} from '../../../resources/browsers/in-house/recording/record-session.ts'
import { FRAME_HEIGHT, FRAME_WIDTH } from '../../../resources/browsers/in-house/view/screencast.ts'
import { storeRecording } from '../../../resources/browsers/store-recording.ts'
import type { FileDeps } from '../../../resources/files/file-deps.ts'
import type { Config } from '../../settings/config.ts'

/** The files of an account may be as large. */
const MAX_BYTES = 100 * 1024 * 1024
const ADDRESS_SPACE_KIB = 2_000_000

type RecorderDeps = {
  readonly bubblewrap: string
  readonly folder: string
  readonly files: FileDeps
  readonly onError: (error: unknown) => void
}

/** Records sessions with ffmpeg; null without the program. */
export async function openRecorder(
  { ffmpegPath, searchPath }: Pick<Config, 'ffmpegPath' | 'searchPath'>,
  { bubblewrap, folder, files, onError }: RecorderDeps,
): Promise<Recorder | null> {
  const ffmpeg = await findFfmpeg({ path: ffmpegPath, searchPath }).catch(() => null)
  if (ffmpeg === null) return null
  return {
    folder,
    startEncoder: async (path) =>
      startEncoder({
        ...confined(bubblewrap, ffmpeg, dirname(path)),
        output: `${OUTPUT_FOLDER}/${basename(path)}`,
        maxBytes: Math.min(MAX_BYTES, files.limits.maxFileBytes),
        framesPerSecond: RECORDED_FRAMES_PER_SECOND,
        frame: { width: FRAME_WIDTH, height: FRAME_HEIGHT },
        isDraft: true,
      }),
    store: (session, path) => storeRecording(files, session, path),
    onError,
  }
}

const OUTPUT_FOLDER = '/out'

/**
 * ffmpeg reads images that a browser creates from foreign pages. It has no network, sees the programs of the
 * system and writes to one folder.
 */
function confined(bubblewrap: string, ffmpeg: string, folder: string) {
  return {
    program: '/bin/sh',
    programArgs: [
      '-c',
      `ulimit -c 0; ulimit -v ${ADDRESS_SPACE_KIB}; exec nice -n 10 "$0" "$@"`,
      bubblewrap,
      '--unshare-all',
      '--die-with-parent',
      '--new-session',
      '--clearenv',
      '--ro-bind',
      '/usr',
      '/usr',
      // Libraries of some systems are links to this folder.
      '--ro-bind-try',
      '/etc/alternatives',
      '/etc/alternatives',
      '--ro-bind-try',
      '/etc/ld.so.cache',
      '/etc/ld.so.cache',
      ...['lib', 'lib64', 'bin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--ro-bind',
      ffmpeg,
      '/ffmpeg',
      '--bind',
      folder,
      OUTPUT_FOLDER,
      '--',
      '/ffmpeg',
    ],
  }
}
