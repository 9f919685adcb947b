import type { FastifyReply } from 'fastify'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { KeyContext } from '../../../../keys/context.ts'
import { listKeys } from '../../../../keys/list-keys.ts'
import { readKey } from '../../../../keys/read-key.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { NOTHING_TYPED } from './key-form.ts'
import { keyPage } from './key-page.ts'
import { filledOf, sendShown, shown, type Refused } from './key-refusal.ts'
import { keysPage } from './keys-page.ts'

/** What a page of keys is shown with: what was refused, or what came of a wish. */
export type Shown = { readonly isSaved?: boolean; readonly refused?: Refused }

/** Which keys of the list are shown. */
export type ShownPage = { readonly cursor: string | null; readonly search: string }

export const FIRST_PAGE: ShownPage = { cursor: null, search: '' }

/** The pages about keys, shown to a visitor as an answer to whatever they asked. */
export type KeyViews = {
  /** A key that is not there shows the list instead. */
  showKey(reply: FastifyReply, visitor: Visitor, id: string, shown: Shown): Promise<FastifyReply>
  showKeys(
    reply: FastifyReply,
    visitor: Visitor,
    page: ShownPage,
    refused?: Refused,
  ): Promise<FastifyReply>
}

const KEYS_SHOWN = 50

export function createKeyViews({ site }: PageDeps, keys: KeyContext): KeyViews {
  async function showKey(
    reply: FastifyReply,
    visitor: Visitor,
    id: string,
    { isSaved = false, refused }: Shown,
  ): Promise<FastifyReply> {
    try {
      const key = await readKey(keys, visitor.caller, id)
      return sendShown(
        reply,
        refused,
        keyPage(site, { visitor, key, isSaved, ...filledOf(key, refused), ...shown(refused) }),
      )
    } catch (error) {
      if (error instanceof AppError && error.code === 'unknown_key')
        return showKeys(reply, visitor, FIRST_PAGE, { error: refused?.error ?? error })
      throw error
    }
  }

  /** Holders see the keys of the mode that they look at; a key sees all that it may see. */
  async function showKeys(
    reply: FastifyReply,
    visitor: Visitor,
    { cursor, search }: ShownPage,
    refused?: Refused,
  ): Promise<FastifyReply> {
    const { caller, email } = visitor
    const page = await listKeys(keys, caller, {
      limit: KEYS_SHOWN,
      cursor,
      ...(search === '' ? {} : { search }),
      ...(email === null ? {} : { mode: caller.mode }),
    })
    return sendShown(
      reply,
      refused,
      keysPage(site, {
        visitor,
        ...page,
        isFirstPage: cursor === null,
        search,
        typed: refused?.typed ?? NOTHING_TYPED,
        ...shown(refused),
      }),
    )
  }

  return { showKey, showKeys }
}
