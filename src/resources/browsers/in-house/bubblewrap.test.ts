import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bubblewrapArgs } from './bubblewrap.ts'

test('shows a browser of the system its own folder and the fonts of the packaged one', () => {
  const args = bubblewrapArgs({
    files: {
      executablePath: '/opt/google/chrome/chrome',
      env: { FONTCONFIG_FILE: '/var/cache/tollgate/chromium/fonts.conf' },
    },
    userId: null,
    profileBytes: 1,
    hidden: [],
  }).join(' ')
  for (const folder of ['/opt/google/chrome', '/var/cache/tollgate/chromium'])
    assert.ok(args.includes(`--ro-bind ${folder} ${folder}`), args)
})

test('covers the hidden folders after /usr and before the files of the browser', () => {
  const args = bubblewrapArgs({
    files: { executablePath: '/usr/src/tollgate/chromium/chrome', env: {} },
    userId: null,
    profileBytes: 1,
    hidden: ['/usr/src/tollgate'],
  }).join(' ')
  const places = [
    '--ro-bind /usr /usr',
    '--tmpfs /usr/src/tollgate',
    '--ro-bind /usr/src/tollgate/chromium /usr/src/tollgate/chromium',
    '--remount-ro /usr/src/tollgate',
  ].map((words) => args.indexOf(words))
  assert.ok(
    places.every((place, at) => place > (places[at - 1] ?? 0)),
    args,
  )
})
