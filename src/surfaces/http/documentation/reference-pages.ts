/** The pages of the reference that the gateway writes when they are requested. No file has them. */
import {
  catalogReference,
  serviceReference,
  serviceTitle,
} from '../../../catalog/published/catalog-reference.ts'
import { errorsReference } from '../../../catalog/published/errors-reference.ts'
import { eventsReference } from '../../../events/events-reference.ts'
import type { Steps } from '../../../lib/background/sliced.ts'
import { services } from '../../../vendors/index.ts'

export type ReferencePage = {
  readonly title: string
  /** Writes the Markdown, whose links are those of a file at the path of the page. */
  readonly write: () => Steps<string>
}

const ACTIONS = 'docs/reference/actions'

/** By the path that links of documents name. */
export const REFERENCE_PAGES: ReadonlyMap<string, ReferencePage> = new Map([
  ['docs/reference/catalog.md', { title: 'Actions', write: () => catalogReference(services) }],
  ['docs/reference/errors.md', { title: 'Errors', write: whole(errorsReference) }],
  ['docs/reference/events.md', { title: 'Events', write: whole(eventsReference) }],
  ...services.map(
    (service) =>
      [
        `${ACTIONS}/${service.id}.md`,
        { title: serviceTitle(service), write: () => serviceReference(service) },
      ] as const,
  ),
])

/** A page that takes less than a millisecond. */
function whole(write: () => string): () => Steps<string> {
  return function* () {
    yield
    return write()
  }
}
