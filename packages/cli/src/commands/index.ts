import type { Command } from '../command.ts'
import { balance } from './balance.ts'
import { cassetteDiff, cassetteRecord } from './cassette-live.ts'
import {
  cassetteDelete,
  cassetteExport,
  cassetteImport,
  cassetteList,
  cassetteShow,
} from './cassette.ts'
import { chat } from './chat.ts'
import { check } from './check.ts'
import { completion } from './completion.ts'
import { describe } from './describe.ts'
import { filesDelete, filesDownload, filesList, filesUpload } from './files.ts'
import { jobsCancel, jobsList, jobsShow, jobsWait } from './jobs.ts'
import {
  keysCreate,
  keysList,
  keysPause,
  keysResume,
  keysRevoke,
  keysRotate,
  keysSet,
} from './keys.ts'
import { lock } from './lock.ts'
import { login } from './login.ts'
import { profileList, profileRemove, profileUse } from './profile.ts'
import { run } from './run.ts'
import { search } from './search.ts'

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  run,
  search,
  describe,
  lock,
  check,
  jobsList,
  jobsShow,
  jobsWait,
  jobsCancel,
  filesList,
  filesUpload,
  filesDownload,
  filesDelete,
  chat,
  cassetteList,
  cassetteShow,
  cassetteDiff,
  cassetteRecord,
  cassetteExport,
  cassetteImport,
  cassetteDelete,
  balance,
  keysList,
  keysCreate,
  keysSet,
  keysPause,
  keysResume,
  keysRotate,
  keysRevoke,
  login,
  profileList,
  profileUse,
  profileRemove,
  completion,
]
