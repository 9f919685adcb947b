import type { FastifyReply } from 'fastify'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { readKeyAlert } from '../../../../events/alerts.ts'
import { findLoopPauses } from '../../../../events/find-loop-pauses.ts'
import { listLatestEvents } from '../../../../events/list-events.ts'
import { listChildren } from '../../../../keys/children/list-children.ts'
import type { Catalog } from '../../../../catalog/index.ts'
import type { KeyDeps } from '../../../../keys/key-deps.ts'
import type { KeyRecord, KeyStatus } from '../../../../keys/key-record.ts'
import { countChildren, listKeyTrees, type ListedKeys } from '../../../../keys/list-key-trees.ts'
import { listKeys } from '../../../../keys/list-keys.ts'
import { readKey } from '../../../../keys/read-key.ts'
import { listBounds } from '../../../../keys/spendable.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { accountUrl } from '../account/account-url.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { EMPTY_CHILD_FORM, EMPTY_KEY_FORM } from './key-form.ts'
import { keyPage } from './key-page.ts'
import { namesOfActions } from './key-reach.ts'
import { isKeyDone, type ShownChildren } from './key-view.ts'
import { mayChangeKey } from './may-change-key.ts'
import { newKeyPage } from './new-key-page.ts'
import {
  formValuesFor,
  sendKeyPage,
  rejectionView,
  type RejectedForm,
} from './rejected-key-form.ts'
import { keysPage } from './keys-page.ts'

/** The result of a form: saved, or rejected. `childrenCursor`: a page of the child keys. */
export type KeyPageState = {
  readonly done?: string
  readonly refused?: RejectedForm
  readonly childrenCursor?: string
}

/** The position, search and status filter of the key list. */
export type KeyListPage = {
  readonly cursor: string | null
  readonly search: string
  /** Null: keys of every status. */
  readonly status: KeyStatus | null
}

export const FIRST_PAGE: KeyListPage = { cursor: null, search: '', status: null }

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
  /** The form of a new key; with `parentId`, of a child of that key. */
  showNewKey(
    reply: FastifyReply,
    visitor: Visitor,
    parentId: string | null,
    refused?: RejectedForm,
  ): Promise<FastifyReply>
}

const KEYS_SHOWN = 50
const EVENTS_SHOWN = 10

export function createKeyViews(
  { site }: PageDeps,
  keys: KeyDeps,
  catalog: Pick<Catalog, 'allActions'>,
): KeyViews {
  const { database } = keys
  const actions = namesOfActions(catalog)

  /** Shows the list with the error if the key does not exist. */
  async function orKeys(
    reply: FastifyReply,
    visitor: Visitor,
    refused: RejectedForm | undefined,
    show: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    try {
      return await show()
    } catch (error) {
      if (error instanceof AppError && error.code === 'unknown_key')
        return showKeys(reply, visitor, FIRST_PAGE, { error: refused?.error ?? error })
      throw error
    }
  }

  const showKey: KeyViews['showKey'] = (reply, visitor, id, shown) =>
    orKeys(reply, visitor, shown.refused, async () => {
      const { done, refused, childrenCursor = '' } = shown
      const key = await readKey(keys, visitor.caller, id)
      const keyId = parsePublicId('key', key.id) ?? ''
      const { accountId } = visitor.caller
      const owner = { accountId, mode: key.mode, keyId, scope: 'own' } as const
      const [children, bounds, loops, alert, events] = await Promise.all([
        childrenOf(visitor, { keyId, cursor: childrenCursor }),
        listBounds(keys, accountId, [key]),
        findLoopPauses(database, owner, key.status === 'paused' ? [key.id] : []),
        readKeyAlert(database, owner, key.id),
        listLatestEvents(database, owner, EVENTS_SHOWN),
      ])
      return sendKeyPage(
        reply,
        refused,
        keyPage(site, {
          visitor,
          key,
          children,
          bounds: bounds.get(key.id),
          events,
          loop: loops.get(key.id),
          alertPercents: alert.threshold_percents,
          actions,
          ...(isKeyDone(done) ? { done } : {}),
          ...formValuesFor(key, refused),
          ...rejectionView(refused),
        }),
      )
    })

  async function childrenOf(
    { caller }: Visitor,
    { keyId, cursor }: { readonly keyId: string; readonly cursor: string },
  ): Promise<ShownChildren> {
    const list = (from: string | null) =>
      listChildren(keys, { keyId }, { limit: KEYS_SHOWN, cursor: from })
    const page = await list(cursor === '' ? null : cursor).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'invalid_params') return list(null)
      throw error
    })
    return {
      ...(await describe(caller, await countChildren(keys, page.keys))),
      isFirstPage: cursor === '',
      nextCursor: page.nextCursor,
    }
  }

  /** Adds what binds each key, and which of them the loop breaker paused. */
  async function describe(caller: Visitor['caller'], listed: ListedKeys['keys']) {
    const records = listed.map(({ key }) => key)
    const paused = (mode: KeyRecord['mode']): readonly string[] =>
      records.filter((key) => key.status === 'paused' && key.mode === mode).map(({ id }) => id)
    const [bounds, live, test] = await Promise.all([
      listBounds(keys, caller.accountId, records),
      findLoopPauses(database, { ...caller, mode: 'live' }, paused('live')),
      findLoopPauses(database, { ...caller, mode: 'test' }, paused('test')),
    ])
    const loops = new Map([...live, ...test])
    return { keys: listed, bounds, loops, looping: new Set(loops.keys()) }
  }

  /** The trees of keys; for a search or a status the matching keys, and for a key of scope "own" itself. */
  async function listFor(
    { caller, email }: Visitor,
    { cursor, search, status }: KeyListPage,
  ): Promise<ListedKeys> {
    const page = { limit: KEYS_SHOWN, cursor, ...(email === null ? {} : { mode: caller.mode }) }
    if (search === '' && status === null && caller.scope === 'account')
      return listKeyTrees(keys, caller, page)
    const found = await listKeys(keys, caller, {
      ...page,
      ...(search === '' ? {} : { search }),
      ...(status === null ? {} : { status }),
    })
    return { ...found, keys: await countChildren(keys, found.keys) }
  }

  /** Holders see the keys of the selected mode; a key sees all keys that it can read. */
  async function showKeys(
    reply: FastifyReply,
    visitor: Visitor,
    { cursor, search, status }: KeyListPage,
    refused?: RejectedForm,
  ): Promise<FastifyReply> {
    const page = await listFor(visitor, { cursor, search, status })
    const { problem } = rejectionView(refused)
    return sendKeyPage(
      reply,
      refused,
      keysPage(site, {
        visitor,
        ...(await describe(visitor.caller, page.keys)),
        nextCursor: page.nextCursor,
        isFirstPage: cursor === null,
        search,
        status,
        ...(problem === undefined ? {} : { problem }),
      }),
    )
  }

  const showNewKey: KeyViews['showNewKey'] = (reply, visitor, parentId, refused) =>
    orKeys(reply, visitor, refused, async () => {
      const parent = parentId === null ? null : await readKey(keys, visitor.caller, parentId)
      if (parent !== null && refused === undefined && !mayChangeKey(visitor, parent))
        return reply.redirect(accountUrl(`/keys/${parent.id}`, visitor), 303)
      const bounds =
        parent === null ? undefined : await listBounds(keys, visitor.caller.accountId, [parent])
      return sendKeyPage(
        reply,
        refused,
        newKeyPage(site, {
          visitor,
          parent,
          above: parent === null ? [] : [...(bounds?.get(parent.id)?.ancestors ?? []), parent],
          actions,
          typed: refused?.typed ?? (parent === null ? EMPTY_KEY_FORM : EMPTY_CHILD_FORM),
          ...rejectionView(refused),
        }),
      )
    })

  return { showKey, showKeys, showNewKey }
}
