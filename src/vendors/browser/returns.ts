/** From Browserbase's merchant for sessions, and src/resources/browsers. */
import {
  address,
  answer,
  flag,
  maybe,
  number,
  oneOf,
  record,
  text,
  time,
  type Returns,
  orNull,
} from '../../catalog/vocabulary/returns.ts'

const sessionId = text('The id of the session.')
const expiry = maybe(time('When the paid minutes end.'))
const liveViewUrl = maybe(
  address(
    'The page that shows the session to signed-in members of the account. Only of a browser that the gateway runs.',
  ),
)
const recording = maybe(
  record('The video of a session that was opened with `record`.', {
    status: oneOf('`failed`: there is no video, such as for a full file storage.', [
      'recording',
      'saving',
      'stored',
      'failed',
    ]),
    file_id: orNull(text('The id of the video for files/get. null until it is stored.')),
  }),
)
const usage = maybe(
  record('The minutes of the session.', {
    minutesPaid: maybe(number('Paid so far.', 'minutes')),
    minutesUsed: maybe(number('Used so far.', 'minutes')),
    minutesRemaining: maybe(number('Left.', 'minutes')),
  }),
)
const pricing = maybe(
  record("The merchant's price. The charge is in the envelope.", {
    ratePerHour: maybe(number('The price of an hour.', 'USD')),
    amountPaid: maybe(number('The price of the minutes.', 'USD')),
    currency: maybe(text('The currency.')),
  }),
)

export const returns: Returns = {
  create_session: answer({
    sessionId: text('The id of the session. Send it to the other actions as `session_id`.'),
    connectUrl: address('The WebSocket URL for clients of the Chrome DevTools Protocol.'),
    paidMinutes: number('How long the session is paid for.', 'minutes'),
    expiresAt: expiry,
    liveViewUrl,
    pricing,
  }),
  extend_session: answer({
    sessionId,
    paidMinutes: maybe(number('All minutes paid so far.', 'minutes')),
    expiresAt: expiry,
    pricing,
  }),
  session_status: answer({
    sessionId,
    status: maybe(oneOf('The state of the session.', ['active', 'running', 'pending', 'ended'])),
    alive: flag('Whether a client can connect.'),
    paidMinutes: maybe(number('The paid minutes that are left.', 'minutes')),
    expiresAt: expiry,
    liveViewUrl,
    recording,
    usage,
  }),
  release_session: answer({
    sessionId,
    released: flag('Always true.'),
    unused_minutes: orNull(
      number('The paid minutes that were left. null if the vendor reports none.', 'minutes'),
    ),
    recording,
  }),
}
