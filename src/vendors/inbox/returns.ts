/** From AgentMail's reference of inboxes and messages. */
import {
  answer,
  count,
  maybe,
  open,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const messageId = text('The id of the message. Send it to inbox/reply.')
const threadId = maybe(text('The conversation that the message belongs to.'))
const sent = answer({
  message_id: messageId,
  thread_id: threadId,
  bounces: maybe(
    records('Recipients that the relay refused. Only in inboxes that the gateway runs.', {
      recipient: text('The address.'),
      status: text('The status code, such as "550".'),
      reason: text('The reason, in the words of the server.'),
    }),
  ),
})

export const returns: Returns = {
  create_inbox: answer({
    inbox_id: text('The address of the inbox. The other actions take it.'),
    pod_id: maybe(text("The vendor's group of inboxes.")),
    email: maybe(text('The same address.')),
    display_name: maybe(text('The sender name that recipients see.')),
    client_id: maybe(text('Your own id of the inbox at the vendor.')),
    metadata: maybe(open('Your own facts about the inbox.')),
    created_at: maybe(time('When the inbox was created.')),
    updated_at: maybe(time('When it was last changed.')),
  }),
  send: sent,
  reply: sent,
  'list-messages': answer({
    count: maybe(count('The number of messages in this answer.')),
    limit: maybe(count('The most messages of a page.')),
    next_page_token: maybe(text('Send it as `page_token` for the next page. null on the last.')),
    messages: maybe(
      records('The messages, newest first.', {
        inbox_id: maybe(text('The address of the inbox.')),
        thread_id: threadId,
        message_id: maybe(messageId),
        labels: maybe(words('The state of the message, such as "received", "unread" or "sent".')),
        timestamp: maybe(time('When the message was sent or received.')),
        from: maybe(text('The sender: "Name <address>" or an address.')),
        to: maybe(words('The recipients.')),
        cc: maybe(words('The recipients of a copy.')),
        bcc: maybe(words('The hidden recipients of a copy.')),
        reply_to: maybe(words('The addresses that replies go to.')),
        subject: maybe(text('The subject.')),
        preview: maybe(text('The beginning of the text.')),
        text: maybe(text('The whole text. Only with `message_id`.')),
        html: maybe(text('The whole text as HTML. Only with `message_id`.')),
        extracted_text: maybe(text('The text without quoted earlier messages.')),
        extracted_html: maybe(text('The HTML without quoted earlier messages.')),
        attachments: maybe(
          records('The attached files.', {
            attachment_id: maybe(
              text(
                "The vendor's id of the file; a file_id for files/get if the gateway runs the inbox.",
              ),
            ),
            filename: maybe(text('The name.')),
            content_type: maybe(text('The media type.')),
            content_disposition: maybe(text('"inline" if the text shows the file.')),
            content_id: maybe(text('The name that the HTML refers to.')),
            size: maybe(count('The size.', 'bytes')),
          }),
        ),
        in_reply_to: maybe(text('The message that this one answers.')),
        references: maybe(words('The earlier messages of the conversation.')),
        headers: maybe(open('The technical headers.')),
        authentication: maybe(
          record('Verification of the sender. Only in inboxes that the gateway runs.', {
            spf: text(
              'Whether the sending server may send for the domain: "pass", "fail" or another result of RFC 8601.',
            ),
            dkim: text('Whether the signature of a domain is valid.'),
            dmarc: text(
              '"pass": the domain in `from` is verified. "none": it publishes no policy.',
            ),
            dmarc_policy: maybe(
              text(
                'The wish of the domain for messages that fail: "none", "quarantine" or "reject".',
              ),
            ),
            signed_by: words('The domains with a valid signature.'),
          }),
        ),
        bounces: maybe(
          records(
            'Recipients of a sent message that were not reached. Only in inboxes that the gateway runs.',
            {
              recipient: text('The address.'),
              status: text('The status code, such as "5.1.1".'),
              reason: text('The reason, in the words of the server that reported it.'),
              at: time('When the report arrived.'),
            },
          ),
        ),
        size: maybe(count('The size of the message.', 'bytes')),
        created_at: maybe(time('When the vendor stored the message.')),
        updated_at: maybe(time('When the vendor last changed the message.')),
      }),
    ),
  }),
}
