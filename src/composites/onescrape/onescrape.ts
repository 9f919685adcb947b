import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import type { AddressCheck } from '../../catalog/validate/web-address.ts'
import { compileSelectors } from '../../reader/dom/select.ts'
import type { PageParts } from '../../reader/extract/select-parts.ts'
import type { ReaderDeps } from './accept-reading.ts'
import { readByCheapChain } from './cheap-chain.ts'
import { findRefusal } from './find-refusal.ts'
import { createTasks } from './http-fallback.ts'
import { listVendorCalls } from './list-vendor-calls.ts'
import { rowOf } from './page-row.ts'
import { shapeRow, type ContentOptions } from './shape-content.ts'
import { normaliseUrls } from './urls.ts'
import { writeAdvice } from './write-advice.ts'

export type OnescrapeInput = ContentOptions &
  PageParts & {
    readonly urls: readonly string[]
    readonly main_content: boolean
  }

/** Throws the errors of `normaliseUrls`, and AppError invalid_params for an invalid selector. */
export function checkOnescrape(input: OnescrapeInput, checkAddress?: AddressCheck): void {
  normaliseUrls(input.urls, checkAddress)
  for (const name of ['include', 'exclude'] as const)
    for (const [index, selector] of (input[name] ?? []).entries())
      if (!isSelector(selector))
        throw new AppError('invalid_params', `"${selector}" is not a CSS selector.`, {
          param: `${name}[${index}]`,
          fix: 'Send selectors such as "article", "#main" or ".price".',
        })
}

function isSelector(text: string): boolean {
  try {
    compileSelectors(text)
    return true
  } catch {
    return false
  }
}

/** Undefined if the call selects no parts. */
function partsOf({ include, exclude, comments }: OnescrapeInput): PageParts | undefined {
  return include === undefined && exclude === undefined && comments !== false
    ? undefined
    : { include, exclude, comments }
}

/** `core/onescrape`: reads 1 to 5 pages with the cheap tiers. */
export function createOnescrape(deps: ReaderDeps): LocalHandler {
  return async (data, tools) => {
    // Validated against the action's schema.
    const input = data as OnescrapeInput
    const { urls, format, main_content: mainContent } = input
    const tasks = await readByCheapChain(deps, tools, createTasks(normaliseUrls(urls), urls), {
      format: format === 'html' ? 'html' : 'markdown',
      mainContent,
      parts: partsOf(input),
    })
    const refusal = findRefusal(tasks, urls)
    if (refusal !== null) throw refusal
    const rows = tasks.map((task) => shapeRow(rowOf(task, format), input))
    const readCount = rows.filter(({ content }) => content !== null).length
    const calls = listVendorCalls(tasks)
    const next = writeAdvice(tools, rows, format)
    if (readCount === 0) {
      const message =
        rows.length === 1
          ? 'The page could not be read. Nothing was charged.'
          : `Could not read any of the ${rows.length} pages. Nothing was charged.`
      return { ...failed('all_blocked', message, { rows, calls, next }), fix: next }
    }
    const answer = {
      url_count: urls.length,
      row_count: rows.length,
      read_count: readCount,
      format,
      hard: false,
      rows,
      calls,
      next,
    }
    return {
      kind: readCount === rows.length ? 'done' : 'partial',
      data: answer,
      units: rows.length,
    }
  }
}
