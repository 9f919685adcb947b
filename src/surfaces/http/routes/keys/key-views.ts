import type { FastifyReply } from 'fastify'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { listLatestEvents } from '../../../../events/list-events.ts'
import { listChildren } from '../../../../keys/children/list-children.ts'
import type { KeyDeps } from '../../../../keys/key-deps.ts'
import { countChildren, listKeyTrees, type ListedKeys } from '../../../../keys/list-key-trees.ts'
import { listKeys } from '../../../../keys/list-keys.ts'
import { readKey } from '../../../../keys/read-key.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { EMPTY_KEY_FORM } from './key-form.ts'
import { isKeyDone, keyPage } from './key-page.ts'
import {
  formValuesFor,
  sendKeyPage,
  rejectionView,
  type RejectedForm,
} from './rejected-key-form.ts'
import { keysPage } from './keys-page.ts'

/** The result of a form: saved, or rejected. */
export type KeyPageState = { readonly done?: string; readonly refused?: RejectedForm }

/** The position and search of the key list. */
export type KeyListPage = { readonly cursor: string | null; readonly search: string }

export const FIRST_PAGE: KeyListPage = { cursor: null, search: '' }

/** Renders the key pages for a visitor. */
export type KeyViews = {
  /** Shows the list if the key does not exist. */
  showKey(
    reply: FastifyReply,
    visitor: Visitor,
    id: string,
    shown: KeyPageState,
  ): Promise<FastifyReply>
  showKeys(
    reply: FastifyReply,
    visitor: Visitor,
    page: KeyListPage,
    refused?: RejectedForm,
  ): Promise<FastifyReply>
}

const KEYS_SHOWN = 50
const EVENTS_SHOWN = 10

export function createKeyViews({ site }: PageDeps, keys: KeyDeps): KeyViews {
  async function showKey(
    reply: FastifyReply,
    visitor: Visitor,
    id: string,
    { done, refused }: KeyPageState,
  ): Promise<FastifyReply> {
    try {
      const key = await readKey(keys, visitor.caller, id)
      const keyId = parsePublicId('key', key.id) ?? ''
      const { keys: children } = await listChildren(
        keys,
        { keyId },
        { limit: KEYS_SHOWN, cursor: null },
      )
      const { accountId } = visitor.caller
      const owner = { accountId, mode: key.mode, keyId, scope: 'own' } as const
      return sendKeyPage(
        reply,
        refused,
        keyPage(site, {
          visitor,
          key,
          children: await countChildren(keys, children),
          events: await listLatestEvents(keys.database, owner, EVENTS_SHOWN),
          ...(isKeyDone(done) ? { done } : {}),
          ...formValuesFor(key, refused),
          ...rejectionView(refused),
        }),
      )
    } catch (error) {
      if (error instanceof AppError && error.code === 'unknown_key')
        return showKeys(reply, visitor, FIRST_PAGE, { error: refused?.error ?? error })
      throw error
    }
  }

  /** The trees of keys; for a search the matching keys, and for a key of scope "own" itself. */
  async function listFor(
    { caller, email }: Visitor,
    { cursor, search }: KeyListPage,
  ): Promise<ListedKeys> {
    const page = { limit: KEYS_SHOWN, cursor, ...(email === null ? {} : { mode: caller.mode }) }
    if (search === '' && caller.scope === 'account') return listKeyTrees(keys, caller, page)
    const found = await listKeys(keys, caller, { ...page, ...(search === '' ? {} : { search }) })
    return { ...found, keys: await countChildren(keys, found.keys) }
  }

  /** Holders see the keys of the selected mode; a key sees all keys that it can read. */
  async function showKeys(
    reply: FastifyReply,
    visitor: Visitor,
    { cursor, search }: KeyListPage,
    refused?: RejectedForm,
  ): Promise<FastifyReply> {
    const page = await listFor(visitor, { cursor, search })
    return sendKeyPage(
      reply,
      refused,
      keysPage(site, {
        visitor,
        ...page,
        isFirstPage: cursor === null,
        search,
        typed: refused?.typed ?? EMPTY_KEY_FORM,
        ...rejectionView(refused),
      }),
    )
  }

  return { showKey, showKeys }
}
