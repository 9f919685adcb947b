import type { FileRow } from '../../../../resources/files/file-row.ts'

// Types that no browser runs anything of. All others, HTML, SVG and XML first, are served as bytes.
const PASSIVE =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|tiff)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+|font\/[a-z0-9]+|text\/(plain|csv|markdown)|application\/(json|x-ndjson|pdf|zip|gzip|vnd\.openxmlformats-officedocument\.[a-z.]+))$/

/**
 * What goes with every download. Strangers choose the bytes, the name and the type, and they come from the gateway's
 * own origin: so they are always a download, are never sniffed, and could do nothing if they were shown after all.
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

/** RFC 6266: the name for everybody, and a plain one for clients that read only that. */
function attachment(filename: string): string {
  const plain = filename.replaceAll(/[^ !#$&'()+,.0-9;=@A-Z[\]^_`a-z{}~-]/g, '_')
  const encoded = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
