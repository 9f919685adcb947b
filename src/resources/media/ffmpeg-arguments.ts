/**
 * Arguments of ffmpeg and ffprobe. They contain numbers, words of closed lists and names of files that
 * the gateway chose, and never text of a caller.
 */

/** Files of these formats contain no addresses of other files. */
const FORMATS =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,ogg,mp3,aac,flac,wav,gif,png_pipe,jpeg_pipe,webp_pipe'
const CODECS =
  'h264,hevc,vp8,vp9,libdav1d,av1,libvpx,libvpx-vp9,mpeg4,mpeg2video,mpeg1video,theora,mjpeg,png,gif,webp,aac,mp3float,mp3,ac3,eac3,vorbis,opus,libopus,flac,alac,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s32le,pcm_f32le,pcm_u8,pcm_mulaw,pcm_alaw,mov_text'
const MOST_PIXELS = 4096 * 4096
const INPUT = [
  '-protocol_whitelist',
  'file,pipe',
  '-format_whitelist',
  FORMATS,
  '-codec_whitelist',
  CODECS,
]
const MOST_SECONDS = 600
const FRAMES_PER_SECOND = 30
const THREADS = '2'
/** No video is larger, unless the caller chose its size. */
const LONGEST_SIDE = 1920

export const CAPTIONS_FILE = 'captions.ass'

export const FORMAT_NAMES = ['mp4', 'webm', 'mp3', 'wav', 'gif', 'png', 'jpeg', 'webp'] as const
export type Format = (typeof FORMAT_NAMES)[number]

export const KIND_OF_FORMAT: Readonly<Record<Format, 'video' | 'audio' | 'image'>> = {
  mp4: 'video',
  webm: 'video',
  mp3: 'audio',
  wav: 'audio',
  gif: 'image',
  png: 'image',
  jpeg: 'image',
  webp: 'image',
}

export type Frame =
  | { readonly kind: 'own' }
  | { readonly kind: 'side'; readonly which: 'shorter' | 'longer'; readonly pixels: number }
  | { readonly kind: 'exact'; readonly width: number; readonly height: number }

/** The size for a resolution, such as "720p" (the shorter side) or "2K" (the longer one), and an aspect ratio. */
export function frameOf(aspectRatio: unknown, resolution: unknown, usual: string): Frame {
  if (aspectRatio === undefined && resolution === undefined) return { kind: 'own' }
  const name = typeof resolution === 'string' ? resolution : usual
  const isShorter = name.endsWith('p')
  const pixels = isShorter ? Number.parseInt(name, 10) : Number.parseInt(name, 10) * 1024
  if (typeof aspectRatio !== 'string')
    return { kind: 'side', which: isShorter ? 'shorter' : 'longer', pixels }
  const [across = 1, down = 1] = aspectRatio.split(':').map(Number)
  const unit = pixels / (isShorter ? Math.min(across, down) : Math.max(across, down))
  return { kind: 'exact', width: even(across * unit), height: even(down * unit) }
}

function even(pixels: number): number {
  return Math.max(2, Math.round(pixels / 2) * 2)
}

/** Scales to the frame and fills the rest with black. */
export function scaleFilter(frame: Frame): string {
  if (frame.kind === 'exact') {
    const { width, height } = frame
    return `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2,pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1`
  }
  if (frame.kind === 'own')
    return `scale=w='min(${LONGEST_SIDE},iw)':h='min(${LONGEST_SIDE},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2,setsar=1`
  const [isAcross, other] = frame.which === 'shorter' ? ['gte', 'lt'] : ['lt', 'gte']
  return `scale=w='if(${isAcross}(iw,ih),-2,${frame.pixels})':h='if(${other}(iw,ih),-2,${frame.pixels})',setsar=1`
}

/** The seconds to skip and the most to read. */
export type Part = { readonly startSeconds: number; readonly seconds: number }

function inputOf(file: string, part?: Part): readonly string[] {
  const start =
    part === undefined || part.startSeconds === 0 ? [] : ['-ss', decimal(part.startSeconds)]
  const length = part === undefined ? [] : ['-t', decimal(part.seconds)]
  return [...INPUT, '-max_pixels', String(MOST_PIXELS), ...start, ...length, '-i', `file:${file}`]
}

function decimal(value: number): string {
  return value.toFixed(3)
}

const BEGIN = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', '-filter_threads', THREADS]

export function probeArguments(file: string): readonly string[] {
  return [
    '-v',
    'error',
    '-of',
    'json',
    '-show_entries',
    'format=duration:stream=codec_type,width,height:stream_disposition=attached_pic:stream_side_data=rotation',
    ...INPUT,
    '-i',
    `file:${file}`,
  ]
}

const WITHOUT_NAMES = ['-map_metadata', '-1', '-map_chapters', '-1']
const ENCODERS: Readonly<Record<Format, readonly string[]>> = {
  mp4: words(
    '-c:v libx264 -preset veryfast -crf 23 -pix_fmt yuv420p -c:a aac -b:a 128k -movflags +faststart -f mp4',
  ),
  webm: words(
    '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1 -crf 33 -b:v 0 -pix_fmt yuv420p -c:a libopus -f webm',
  ),
  mp3: words('-vn -c:a libmp3lame -b:a 192k -f mp3'),
  wav: words('-vn -c:a pcm_s16le -f wav'),
  gif: words('-an -c:v gif -f gif'),
  png: words('-an -frames:v 1 -update 1 -c:v png -f image2'),
  jpeg: words('-an -frames:v 1 -update 1 -c:v mjpeg -q:v 3 -f image2'),
  webp: words('-an -frames:v 1 -update 1 -c:v libwebp -f image2'),
}

/** For constants only. */
function words(text: string): readonly string[] {
  return text.split(' ')
}

function outputOf(format: Format, file: string): readonly string[] {
  const length = KIND_OF_FORMAT[format] === 'image' ? [] : ['-t', String(MOST_SECONDS)]
  return [...WITHOUT_NAMES, ...ENCODERS[format], '-threads', THREADS, ...length, `file:${file}`]
}

export type Conversion = {
  readonly input: string
  readonly output: string
  readonly format: Format
  readonly part: Part
  readonly frame: Frame
  readonly hasCaptions?: boolean
}

/** One file into another format, size or part. */
export function convertArguments(conversion: Conversion): readonly string[] {
  const { input, output, format, part, frame, hasCaptions = false } = conversion
  const filters = [scaleFilter(frame), ...(hasCaptions ? [`ass=${CAPTIONS_FILE}`] : [])]
  const kind = KIND_OF_FORMAT[format]
  // A palette for each frame: one for all frames would store them until the last one.
  const graph =
    kind === 'audio'
      ? []
      : format === 'gif'
        ? [
            '-filter_complex',
            `[0:v:0]fps=10,${filters.join(',')},split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1`,
          ]
        : ['-vf', filters.join(',')]
  const streams =
    format === 'gif'
      ? []
      : kind === 'audio'
        ? ['-map', '0:a:0']
        : ['-map', '0:v:0', ...(kind === 'video' ? ['-map', '0:a:0?'] : [])]
  return [...BEGIN, ...inputOf(input, part), ...streams, ...graph, ...outputOf(format, output)]
}

export type AssembledClip = {
  readonly file: string
  readonly hasAudio: boolean
  readonly seconds: number
}

export type Assembly = {
  readonly clips: readonly AssembledClip[]
  readonly frame: Extract<Frame, { readonly kind: 'exact' }>
  readonly output: string
  /** Mixed with the audio of the clips. */
  readonly audio?: string | undefined
  /** An image in the upper right corner. */
  readonly logo?: string | undefined
  readonly hasCaptions: boolean
}

const SOUND = 'aresample=44100,aformat=sample_fmts=fltp:channel_layouts=stereo'

/** Clips in sequence, in one frame. */
export function assembleArguments(assembly: Assembly): readonly string[] {
  const { clips, frame, output, audio, logo, hasCaptions } = assembly
  const inputs = [
    ...clips.map(({ file }) => file),
    ...(audio === undefined ? [] : [audio]),
    ...(logo === undefined ? [] : [logo]),
  ]
  const clipFilters = clips.flatMap(({ hasAudio, seconds }, at) => [
    `[${at}:v:0]${scaleFilter(frame)},fps=${FRAMES_PER_SECOND},format=yuv420p[v${at}]`,
    hasAudio
      ? `[${at}:a:0]${SOUND}[a${at}]`
      : `anullsrc=r=44100:cl=stereo,atrim=duration=${decimal(seconds)},${SOUND}[a${at}]`,
  ])
  const joined = `${clips.map((_, at) => `[v${at}][a${at}]`).join('')}concat=n=${clips.length}:v=1:a=1[v][a]`
  const mixed =
    audio === undefined
      ? '[a]anull[sound]'
      : `[${clips.length}:a:0]${SOUND}[extra];[a][extra]amix=inputs=2:duration=first:dropout_transition=0:normalize=0,alimiter=limit=0.95[sound]`
  const logoAt = inputs.length - 1
  const margin = even(frame.height / 36)
  const covered =
    logo === undefined
      ? '[v]null[shown]'
      : `[${logoAt}:v:0]scale=${even(frame.width / 6)}:${even(frame.height / 6)}:force_original_aspect_ratio=decrease[logo];[v][logo]overlay=W-w-${margin}:${margin}[shown]`
  const ended = `[shown]${hasCaptions ? `ass=${CAPTIONS_FILE},` : ''}format=yuv420p[film]`
  return [
    ...BEGIN,
    '-filter_complex_threads',
    THREADS,
    ...inputs.flatMap((file) => inputOf(file)),
    '-filter_complex',
    [...clipFilters, joined, mixed, covered, ended].join(';'),
    '-map',
    '[film]',
    '-map',
    '[sound]',
    ...outputOf('mp4', output),
  ]
}
