/** From Linkup's API reference for /search. The fields depend on `outputType`. */
import {
  address,
  answer,
  maybe,
  oneOf,
  open,
  records,
  text,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import { answeredBy, engineFields } from '../shared/in-house-search.ts'

const search = answer({
  ...engineFields,
  answered_by: answeredBy,
  answer: maybe(text('The answer in words. Only for outputType sourcedAnswer.')),
  sources: maybe(
    records('The pages that support the answer. Only for outputType sourcedAnswer.', {
      name: maybe(text('The title of the page.')),
      url: address('The URL of the page.'),
      snippet: maybe(text('The passage that supports the answer.')),
      favicon: maybe(address("The site's icon.")),
    }),
  ),
  results: maybe(
    records('The pages and images, best match first. Only for outputType searchResults.', {
      type: maybe(oneOf('The kind of the result.', ['text', 'image'])),
      name: maybe(text('The title of the page or image.')),
      url: address('The URL of the page or image.'),
      content: maybe(text('The passages of the page that fit the question.')),
      favicon: maybe(address("The site's icon.")),
    }),
  ),
  data: maybe(open('The data in your JSON Schema. Only for outputType structured.')),
})

export const returns: Returns = { search, 'deep-search': search }
