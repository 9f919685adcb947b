/** Captions of callers as a file in the format of libass. Their text never reaches an argument or a filter. */

/** Times are in milliseconds. */
export type Cue = { readonly fromMs: number; readonly toMs: number; readonly text: string }

export const MOST_CUES = 2_000
const MOST_CHARACTERS = 500
const TIME = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`
const SPAN = new RegExp(String.raw`^\s*${TIME}\s+-->\s+${TIME}`)
const TAG = /<[^<>]{0,200}>|\{\\[^{}]{0,200}\}/g

/** The cues of a SubRip or WebVTT file. Their formatting is dropped. Empty if the text has none. */
export function readCues(file: string): readonly Cue[] {
  const blocks = file.replaceAll(/\r\n?/g, '\n').split(/\n[ \t]*\n/)
  return blocks.flatMap((block) => {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => SPAN.test(line))
    const times = SPAN.exec(lines[at] ?? '')
    if (times === null) return []
    const text = lines
      .slice(at + 1)
      .join('\n')
      .replaceAll(TAG, '')
      .trim()
      .slice(0, MOST_CHARACTERS)
    return text === ''
      ? []
      : [{ fromMs: toMs(times.slice(1, 5)), toMs: toMs(times.slice(5, 9)), text }]
  })
}

function toMs([hours, minutes, seconds, fraction = '']: readonly (string | undefined)[]): number {
  const whole = Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds)
  return whole * 1000 + Number(fraction.padEnd(3, '0'))
}

/** The file for a video of this size: white letters with an outline, at the bottom. */
export function writeCaptions(
  cues: readonly Cue[],
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const size = Math.max(8, Math.round(Math.min(height, width) * 0.06))
  const margin = Math.round(height * 0.05)
  const style = `Default,Sans,${size},&H00FFFFFF,&H00FFFFFF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,${Math.max(1, Math.round(size / 12))},0,2,${margin},${margin},${margin},1`
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${width}`,
    `PlayResY: ${height}`,
    'WrapStyle: 0',
    '',
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding',
    `Style: ${style}`,
    '',
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
    ...cues.map(
      ({ fromMs, toMs: endMs, text }) =>
        `Dialogue: 0,${timeText(fromMs)},${timeText(endMs)},Default,,0,0,0,,${escapeText(text)}`,
    ),
    '',
  ].join('\n')
}

function timeText(ms: number): string {
  const hundredths = Math.round(ms / 10)
  const part = (value: number): string => String(value).padStart(2, '0')
  const seconds = Math.floor(hundredths / 100)
  return `${Math.floor(seconds / 3600)}:${part(Math.floor(seconds / 60) % 60)}:${part(seconds % 60)}.${part(hundredths % 100)}`
}

/** A word joiner after a backslash prevents that it begins a command of the format. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Cc}]/gu, (character) => (character === '\n' ? '\n' : ' '))
    .replaceAll('\\', '\\\u2060')
    .replaceAll(/[{}]/g, (brace) => `\\${brace}`)
    .trim()
    .replaceAll('\n', String.raw`\N`)
}
