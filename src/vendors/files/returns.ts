import {
  address,
  answer,
  count,
  flag,
  orNull,
  oneOf,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const fileId = text('The id of the file.')
const expiry = time('When the link stops working. The file stays until you delete it.')
const file = {
  file_id: fileId,
  filename: text('The name, without a path.'),
  mime: text('The media type, such as "application/pdf".'),
  size: count('The size.', 'bytes'),
  sha256: text('The SHA-256 of the bytes in hexadecimal.'),
  tags: words('Your tags.'),
  note: orNull(text('Your note.')),
  source: oneOf('"upload", "url", or the action that created the file.', ['upload', 'url']),
  created_at: time('When the file was stored.'),
  get_url: address('A download link that needs no key.'),
  expires_at: expiry,
}

export const returns: Returns = {
  upload: answer({
    file_id: fileId,
    filename: file.filename,
    mime: file.mime,
    size: count('The number of bytes that the upload must have.', 'bytes'),
    put_url: address('PUT the raw bytes here, once.'),
    get_url: address('The download link. It works after the upload.'),
    expires_at: time('When both links stop working.'),
  }),
  upload_from_url: answer(file),
  get: answer(file),
  list: answer({
    files: records('The files, newest first.', file),
    next_cursor: orNull(text('Send it as `cursor` for the next page. null on the last page.')),
    used_bytes: count('The storage that the account uses.', 'bytes'),
    quota_bytes: count('The storage that the account may use.', 'bytes'),
  }),
  delete: answer({
    file_id: fileId,
    deleted: flag('Always true.'),
    freed_bytes: count('The storage that the deletion freed.', 'bytes'),
  }),
}
