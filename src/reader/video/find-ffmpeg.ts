import { access, chmod, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../errors/app-error.ts'

export type FfmpegPlaces = {
  /** The operator's program; if set, no other is tried. */
  readonly path: string | null
  /** The environment's PATH. */
  readonly searchPath: string
}

/**
 * The ffmpeg program: the operator's, the system's, which is up to date, or the packaged one of
 * 2018. Throws AppError `upstream_not_configured`.
 */
export async function findFfmpeg({ path, searchPath }: FfmpegPlaces): Promise<string> {
  const candidates =
    path === null
      ? [
          ...searchPath
            .split(delimiter)
            .filter((folder) => folder !== '')
            .map((folder) => join(folder, 'ffmpeg')),
          packaged(),
        ]
      : [path]
  for (const candidate of candidates)
    if (candidate !== null && (await isProgram(candidate))) return candidate
  throw new AppError(
    'upstream_not_configured',
    'This gateway has no ffmpeg, which encodes the video. Nothing was charged.',
    {
      fix: 'The operator must install ffmpeg or set FFMPEG_PATH.',
    },
  )
}

/** An optional dependency, available for some systems only. */
function packaged(): string | null {
  try {
    return fileURLToPath(
      new URL(
        './ffmpeg',
        import.meta.resolve(`@ffmpeg-installer/${process.platform}-${process.arch}/package.json`),
      ),
    )
  } catch {
    return null
  }
}

async function isProgram(path: string): Promise<boolean> {
  const runs = () =>
    access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
  if (await runs()) return true
  // Some package installers drop the permission to execute.
  await chmod(path, 0o755).catch(() => undefined)
  return runs()
}
