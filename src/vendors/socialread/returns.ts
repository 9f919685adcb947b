/** From TikHub's OpenAPI document, and from the platforms' own formats, which it returns. */
import {
  address,
  answer,
  anything,
  count,
  maybe,
  open,
  text,
  time,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import type { TSchema } from '../../lib/schema.ts'
import { otherPlatforms } from './returns-others.ts'
import { tiktokAndDouyin } from './returns-tiktok.ts'

function envelope(data: TSchema) {
  return answer({
    code: maybe(count("The vendor's code of the answer. 0 and 200 are success.")),
    request_id: maybe(text("The vendor's id of the request.")),
    message: maybe(text('The outcome in words.')),
    message_zh: maybe(text('The outcome in Chinese.')),
    support: maybe(text("The vendor's address for questions.")),
    docs: maybe(text("The vendor's documentation of the endpoint.")),
    router: maybe(text('The endpoint.')),
    params: maybe(open('The parameters that the vendor received.')),
    time: maybe(time('When the vendor answered.')),
    time_stamp: maybe(count('When the vendor answered, since 1970.', 'seconds')),
    time_zone: maybe(text('The time zone of `time`.')),
    cache_message: maybe(text('How long the answer is stored.')),
    cache_message_zh: maybe(text('How long the answer is stored, in Chinese.')),
    cache_url: maybe(address('The same answer, stored at the vendor for 24 hours.')),
    data,
  })
}

const whole = envelope(
  maybe(anything("The platform's own answer. The descriptor of an endpoint lists its fields.")),
)

export const returns: Returns = {
  fetch: whole,
  submit: whole,
  ...Object.fromEntries(
    Object.entries({ ...tiktokAndDouyin, ...otherPlatforms }).map(([path, data]) => [
      `fetch /api/v1/${path}`,
      envelope(maybe(data)),
    ]),
  ),
}
