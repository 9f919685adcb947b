import type { Logger } from 'pino'
import type { BoxesDeps } from '../../../resources/boxes/boxes-deps.ts'
import type { OwnBrowsers } from '../../../resources/browsers/in-house/own-browsers.ts'
import type { FileDeps } from '../../../resources/files/file-deps.ts'
import type { GitDeps } from '../../../resources/git/git-deps.ts'
import type { MediaDeps } from '../../../resources/media/media-deps.ts'
import type { InboxDeps } from '../../../resources/inboxes/inbox-deps.ts'
import type { Pages } from '../../../reader/create-pages.ts'
import type { Guard } from '../../../upstream/guard.ts'
import type { Config } from '../../settings/config.ts'
import type { Egress } from '../egress.ts'
import { isPartEnabled } from '../../settings/in-house-settings.ts'
import type { InHousePart } from '../../settings/in-house-parts.ts'
import { openBoxes } from './boxes.ts'
import { NOTE_WITHOUT_SERVERS, openEmails, type Emails, type EmailWorld } from './emails.ts'
import { localNote, openInboxes } from './inboxes.ts'
import { openMedia } from './media.ts'
import { openOwnBrowsers } from './own-browsers.ts'
import { openRepositories } from './repositories.ts'
import { NOTE_OF_SEARCH, openSearch, type Search } from './search.ts'

/** The parts of IN_HOUSE; null for a part that is off or does not work here. */
export type InHouse = {
  readonly git: GitDeps | null
  readonly inboxes: InboxDeps | null
  readonly emails: Emails | null
  readonly search: Search | null
  /** Sandboxes and sessions. */
  readonly boxes: BoxesDeps | null
  readonly browsers: OwnBrowsers | null
  readonly media: MediaDeps | null
  /** Limits of parts here, for the descriptions of their actions. */
  readonly notes: ReadonlyMap<InHousePart, string>
  /** The parts that work in this process. */
  readonly parts: readonly InHousePart[]
  /** Ends boxes, browsers, threads and connections. */
  closeParts(): Promise<void>
}

type InHouseDeps = {
  readonly egress: Pick<Egress, 'operatorDispatcher' | 'gates'>
  readonly guard: Guard
  readonly pages: Pages
  readonly emailWorld?: Partial<EmailWorld> | undefined
  readonly logger: Logger
  /** The process enables every part while IN_HOUSE is not set. */
  readonly isDefault: boolean
}

export async function openInHouse(
  config: Config,
  files: FileDeps,
  { egress, guard, pages, emailWorld, logger, isDefault }: InHouseDeps,
): Promise<InHouse> {
  const git = await openRepositories(config, files.database, files.now, isDefault)
  const inboxes = await openInboxes(config, files, isDefault)
  const { database, now } = files
  const emails = openEmails(config, { database, now, pages, world: emailWorld }, isDefault)
  const search = openSearch(config, { egress, pages, now })
  const boxes = await openBoxes(config, isDefault, logger)
  const browsers = await openOwnBrowsers(
    config,
    {
      guard,
      files,
      onError: (error) =>
        logger.error({ err: error }, 'in-house browsers could not be reported or recorded'),
      warn: (message) => logger.warn(message),
    },
    isDefault,
  )
  const media = openMedia(
    config,
    { files, fetching: { guard, userAgent: config.userAgent }, boxes, now: files.now },
    isDefault,
  )
  return {
    git,
    inboxes,
    emails,
    search,
    boxes,
    browsers,
    media,
    notes: new Map<InHousePart, string>([
      ...(inboxes?.isLocal === true ? [['inboxes', localNote(inboxes)] as const] : []),
      ...(search === null ? [] : [['search', NOTE_OF_SEARCH] as const]),
      ...(emails?.asksServers === false ? [['emails', NOTE_WITHOUT_SERVERS] as const] : []),
    ]),
    parts: [
      ...(git === null ? [] : ['git' as const]),
      ...(inboxes === null ? [] : ['inboxes' as const]),
      ...(emails === null ? [] : ['emails' as const]),
      ...(search === null ? [] : ['search' as const]),
      ...(isPartEnabled(config.inHouse, 'readers', isDefault) ? ['readers' as const] : []),
      ...(boxes?.sellsSandboxes === true ? ['sandboxes' as const] : []),
      ...((boxes?.sessionServices.size ?? 0) > 0 ? ['sessions' as const] : []),
      ...(browsers === null ? [] : ['browsers' as const]),
      ...(media === null ? [] : ['media' as const]),
    ],
    async closeParts() {
      const { parser, senderChecker } = inboxes ?? {}
      await Promise.all(
        [parser, senderChecker, boxes?.host, browsers, emails].map(async (one) => one?.close()),
      )
    },
  }
}
