import { done } from '../../catalog/vocabulary/outcome.ts'
import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Pages } from '../../reader/create-pages.ts'
import type { DocumentInput } from '../../reader/document/read-document.ts'
import type { FileDeps } from '../../resources/files/file-deps.ts'
import { readFileBytes } from '../../resources/files/read-file.ts'

/** `reader/document` on the web and on the account's files. */
export function createDocumentHandler(
  { readDocument }: Pick<Pages, 'readDocument'>,
  files: FileDeps,
): LocalHandler {
  return async (input, tools) =>
    done(
      // Validated against the catalog's schema before the handler runs.
      await readDocument(input as DocumentInput, tools, (owner, fileId, maxBytes) =>
        readFileBytes(files, owner, fileId, maxBytes),
      ),
    )
}
