import { toFileName } from '../../../../lib/escapes.ts'
import type { FileRow } from '../../../../resources/files/file-row.ts'

// Types that browsers do not execute. All others, such as HTML, SVG and XML, are served as bytes.
const PASSIVE =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|tiff)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+|font\/[a-z0-9]+|text\/(plain|csv|markdown)|application\/(json|x-ndjson|pdf|zip|gzip|vnd\.openxmlformats-officedocument\.[a-z.]+))$/

/**
 * The headers of a download. Callers choose bytes, name and type, which the gateway serves from its own
 * origin. So every file is an attachment, is never sniffed, and could not run scripts if displayed.
 */
export function fileHeaders({
  filename,
  mime,
  sha256,
}: Pick<FileRow, 'filename' | 'mime' | 'sha256'>): Record<string, string> {
  return {
    'content-type': PASSIVE.test(mime) ? mime : 'application/octet-stream',
    'content-disposition': attachment(filename),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag: etagOf(sha256),
  }
}

export function etagOf(sha256: Buffer | null): string {
  return `"${sha256?.toString('hex') ?? ''}"`
}

/** Content-Disposition (RFC 6266) with the full name, and an ASCII name for old clients. */
function attachment(name: string): string {
  // Also for names that were stored before they were cleaned.
  const filename = toFileName(name)
  const plain = filename.replaceAll(/[^ !#$&'()+,.0-9;=@A-Z[\]^_`a-z{}~-]/g, '_')
  const encoded = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
