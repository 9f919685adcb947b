import type { CDPSession, Page } from 'playwright-core'
import { AppError } from '../../errors/app-error.ts'

const ATTEMPTS = 3
const worlds = new WeakMap<Page, World>()

type World = {
  readonly session: Promise<CDPSession>
  /** Undefined until the first evaluation, and after a navigation. */
  contextId: number | undefined
}

/**
 * Evaluates an expression in an isolated world, where the page cannot replace functions. Rejects if
 * the page does not respond. The world of a page is created once: each evaluation is one message.
 */
export async function evaluateIsolated(page: Page, expression: string): Promise<unknown> {
  const world = worlds.get(page) ?? openWorld(page)
  for (let attempt = 1; ; attempt += 1) {
    try {
      const session = await world.session
      world.contextId ??= await createContext(session)
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        contextId: world.contextId,
        returnByValue: true,
        awaitPromise: true,
      })
      if (exceptionDetails !== undefined)
        throw new AppError('internal', 'The page could not be read.', {
          cause: exceptionDetails.text,
        })
      return result.value as unknown
    } catch (error) {
      // The isolated world is lost when the page navigates.
      world.contextId = undefined
      if (attempt >= ATTEMPTS || error instanceof AppError) throw error
    }
  }
}

function openWorld(page: Page): World {
  const world: World = { session: page.context().newCDPSession(page), contextId: undefined }
  world.session.catch(() => worlds.delete(page))
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) world.contextId = undefined
  })
  worlds.set(page, world)
  return world
}

async function createContext(session: CDPSession): Promise<number> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'reader',
  })
  return executionContextId
}
