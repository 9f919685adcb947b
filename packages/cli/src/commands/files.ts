import { createWriteStream, existsSync, openAsBlob, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { StoredFile } from '../../../sdk/src/index.ts'
import type { Command, Deps, Report } from '../command.ts'
import { readWhole } from '../input/read-value.ts'
import { noteCharge, note } from '../output/notes.ts'
import { createProgressBar, type ProgressBar } from '../output/progress-bar.ts'
import { safeText } from '../output/safe-text.ts'
import { formatBytes } from '../output/sizes.ts'
import { facts, table } from '../output/table.ts'
import { UsageError } from '../usage-error.ts'
import { widthFor } from '../terminal.ts'

const operand = { value: '<file>', about: 'the id of a file (file_…)' } as const
const USUAL_ROWS = 50

type FilePage = {
  readonly files: readonly StoredFile[]
  readonly used_bytes: number
  readonly quota_bytes: number
}

export const filesList: Command = {
  name: 'files list',
  summary: 'list the files of the account, newest first',
  flags: {
    query: { value: '<text>', about: 'only files whose name contains this text' },
    tags: { value: '<tag…>', about: 'only files with all of these tags', isList: true },
    limit: { value: '<count>', about: `the most files; default: ${USUAL_ROWS}` },
  },
  example: 'files list --query report',
  async run({ flags }, { connect, signal, terminal }) {
    const { query, tags } = flags
    const input = {
      limit: readWhole('limit', flags['limit']?.[0], USUAL_ROWS),
      ...(query === undefined ? {} : { query: query[0] }),
      ...(tags === undefined ? {} : { tags }),
    }
    const { data } = await connect.open().run<FilePage>('files/list', input, { signal })
    const rows = data.files.map((file) => [
      file.file_id,
      file.filename,
      formatBytes(file.size),
      file.mime,
      file.created_at.slice(0, 16).replace('T', ' '),
    ])
    const used = `${formatBytes(data.used_bytes)} of ${formatBytes(data.quota_bytes)} used.`
    return {
      data,
      text:
        rows.length === 0
          ? `No files. ${used}`
          : `${table(['file', 'name', 'size', 'type', 'created (UTC)'], rows, widthFor(terminal))}\n\n${used}`,
    }
  },
}

export const filesUpload: Command = {
  name: 'files upload',
  summary: 'store a file',
  operand: { value: '<path>', about: 'a file of this machine' },
  flags: {
    name: { value: '<name>', about: 'the name to store; default: that of the file' },
    tags: { value: '<tag…>', about: 'tags to find it by', isList: true },
    note: { value: '<text>', about: 'a note' },
    mime: { value: '<type>', about: 'the media type; default: from the name' },
  },
  example: 'files upload report.pdf --tags reports',
  async run({ operands, flags }, deps) {
    const path = operands[0] ?? ''
    const { size } = requireFile(path)
    const bar = createProgressBar(deps.terminal, 'Uploading')
    const blob = countReads(await openAsBlob(path), (sent) =>
      bar.show(sent, size, `${formatBytes(sent)} of ${formatBytes(size)}`),
    )
    const { name, tags, note: text, mime } = flags
    try {
      const result = await deps.connect.open().files.upload(
        blob,
        {
          filename: name?.[0] ?? basename(path),
          ...(tags === undefined ? {} : { tags }),
          ...(text === undefined ? {} : { note: text[0] ?? '' }),
          ...(mime === undefined ? {} : { mime: mime[0] ?? '' }),
        },
        { signal: deps.signal },
      )
      bar.end()
      noteCharge(deps, result)
      return reportFile(result.data)
    } finally {
      bar.end()
    }
  },
}

/** Throws UsageError. */
function requireFile(path: string): { readonly size: number } {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new UsageError(`There is no file ${path}.`)
  if (!found.isFile()) throw new UsageError(`${path} is not a file.`)
  return found
}

/** The same Blob, which reports its bytes as they are sent. A retry starts again. */
function countReads(blob: Blob, onProgress: (sent: number) => void): Blob {
  const read = blob.stream.bind(blob)
  return Object.defineProperty(blob, 'stream', {
    value: () => {
      let sent = 0
      return read().pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            sent += chunk.length
            onProgress(sent)
            controller.enqueue(chunk)
          },
        }),
      )
    },
  })
}

function reportFile(file: StoredFile): Report {
  return {
    data: file,
    text: facts([
      ['file', file.file_id],
      ['name', safeText(file.filename)],
      ['size', formatBytes(file.size)],
      ['type', file.mime],
      ['sha256', file.sha256],
      ['link', `${file.get_url} (until ${file.expires_at})`],
    ]),
  }
}

export const filesDownload: Command = {
  name: 'files download',
  summary: 'download a file',
  operand,
  flags: {
    output: {
      value: '<path>',
      about: 'a file, a folder, or "-" for the standard output; default: its stored name',
    },
    force: { about: 'replace an existing file' },
  },
  example: 'files download file_0192… --output report.pdf',
  async run({ operands, flags }, deps) {
    const { connect, signal, terminal } = deps
    const client = connect.open()
    const id = operands[0] ?? ''
    const { data: file } = await client.run<StoredFile>('files/get', { file_id: id }, { signal })
    const target = flags['output']?.[0]
    const path = target === '-' ? null : targetPath(target, file.filename)
    if (path !== null && existsSync(path) && flags['force'] === undefined)
      throw new UsageError(
        `${path} exists.`,
        'Add --force to replace it, or choose another --output.',
      )
    const response = await client.files.download(id, { signal })
    const bar = createProgressBar(terminal, 'Downloading')
    try {
      await writeBody(response, { path, bar, size: file.size, signal })
    } finally {
      bar.end()
    }
    if (path === null) return null
    note(deps, `Wrote ${path}, ${formatBytes(file.size)}.`)
    return { data: { file_id: file.file_id, path, size: file.size }, text: path }
  },
}

/** The stored name belongs to the uploader: only its last part is used, and no hidden name. */
function targetPath(target: string | undefined, filename: string): string {
  const isFolder =
    target !== undefined && statSync(target, { throwIfNoEntry: false })?.isDirectory() === true
  if (target !== undefined && !isFolder) return target
  const name = safeText(filename).split(/[/\\]/).at(-1)?.replace(/^\.+/, '') || 'download'
  return join(target ?? '.', name)
}

type Writing = {
  readonly path: string | null
  readonly bar: ProgressBar
  readonly size: number
  readonly signal: AbortSignal
}

const bytesOf = ({ body }: Response): AsyncIterable<Uint8Array> => body ?? Readable.from([])

/** A file gets its name when it is complete. */
async function writeBody(response: Response, { path, bar, size, signal }: Writing): Promise<void> {
  let received = 0
  const counted = async function* (): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of bytesOf(response)) {
      received += chunk.length
      bar.show(received, size, `${formatBytes(received)} of ${formatBytes(size)}`)
      yield chunk
    }
  }
  const source = Readable.from(counted())
  if (path === null) {
    await pipeline(source, process.stdout, { signal, end: false })
    return
  }
  const draft = `${path}.part-${process.pid}`
  try {
    await pipeline(source, createWriteStream(draft, { flags: 'wx' }), { signal })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

export const filesDelete: Command = {
  name: 'files delete',
  summary: 'delete a file permanently',
  operand,
  flags: {},
  example: 'files delete file_0192…',
  async run({ operands }, { connect, signal }: Deps) {
    const { data } = await connect
      .open()
      .run('files/delete', { file_id: operands[0] ?? '' }, { signal })
    return { data, text: `Deleted ${operands[0] ?? ''}.` }
  },
}
