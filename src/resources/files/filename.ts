import { toFileName } from '../../lib/escapes.ts'

const LONGEST_NAME = 255

/**
 * A name that is safe to show, to send in a header and to store in the database. Never used as a
 * path.
 */
export function cleanFilename(name: string): string {
  const clean = [...toFileName(name)].slice(0, LONGEST_NAME).join('')
  return clean === '' ? 'file' : clean
}

const MIMES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  m4a: 'audio/mp4',
  flac: 'audio/flac',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  htm: 'text/html',
  xml: 'application/xml',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

/** A lower-case media type without parameters; undefined if invalid. */
export function mediaTypeOf(text: string): string | undefined {
  const essence = text.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+-]{1,60}\/[\w.+-]{1,66}$/.test(essence) ? essence : undefined
}

/** The file extension of a media type with its dot; empty if it has none. */
export function endingOf(mime: string): string {
  const ending = Object.keys(MIMES).find((name) => MIMES[name] === mime)
  return ending === undefined ? '' : `.${ending}`
}

/** The media type of a file's extension. */
export function mimeOf(filename: string): string {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(MIMES, ending) ? MIMES[ending] : undefined) ?? 'application/octet-stream'
}
