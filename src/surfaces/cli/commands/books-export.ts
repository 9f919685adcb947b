import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportBooks } from '../../../history/export-transactions.ts'
import { StartError } from '../../../errors/start-error.ts'
import type { Command } from '../command.ts'
import { readChoice, readMoment, requireStretch } from '../read-value.ts'

export const booksExport: Command = {
  name: 'books export',
  summary:
    'write the history of all accounts to a CSV file that must not exist yet, for accounting',
  flags: {
    file: { value: '<path>', about: 'where to write it', required: true },
    from: { value: '<when>', about: 'from this time on: a date or an RFC 3339 time' },
    until: { value: '<when>', about: 'before this time' },
    mode: { value: '<mode>', about: 'live or test; live when left out' },
  },
  example: './tollgate books export --from 2027-01-01 --until 2027-02-01 --file january.csv',
  async run({ flags }, tools) {
    const { from, until, file: path = '' } = flags
    const mode = readChoice('mode', flags['mode'], ['live', 'test'], 'live')
    const filter = {
      ...(from === undefined ? {} : { fromMs: readMoment('from', from, tools.now()).getTime() }),
      ...(until === undefined ? {} : { toMs: readMoment('until', until, tools.now()).getTime() }),
    }
    requireStretch({ fromMs: filter.fromMs ?? 0, untilMs: filter.toMs ?? Infinity })
    const database = await tools.database()
    try {
      // Amounts of other people's accounts: for the operator alone.
      const file = (await open(path, 'wx', 0o600)).createWriteStream()
      await pipeline(Readable.from(exportBooks(database, { mode, filter })), file)
      return {
        data: { file: path, bytes: file.bytesWritten },
        text: `Wrote ${file.bytesWritten} bytes to ${path}.`,
      }
    } catch (error) {
      const { syscall, code, message } = error as NodeJS.ErrnoException
      if (syscall !== 'open' && syscall !== 'write') throw error
      if (code === 'EEXIST')
        throw new StartError(`${path} is there already. Name a file that is not.`, { cause: error })
      throw new StartError(`The file cannot be written: ${message}.`, { cause: error })
    }
  },
}
