/** Responses of a public site that lead its reader on. `target` returns the canary's URL with a path of its own. */
export function redirects(target: (name: string) => string): Readonly<
  Record<
    string,
    {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }
  >
> {
  const moved = (status: number) => (location: string) => ({
    status,
    headers: { location },
    body: '',
  })
  const page = (body: string, headers: Readonly<Record<string, string>> = {}) => ({
    status: 200,
    headers: { 'content-type': 'text/html', ...headers },
    body,
  })
  const schemeless = (url: string): string => url.replace('http:', '')
  return {
    ...Object.fromEntries(
      [300, 301, 302, 303, 305, 307, 308].map((status) => [
        `status-${status}`,
        moved(status)(target(`status-${status}`)),
      ]),
    ),
    'without-scheme': moved(302)(schemeless(target('without-scheme'))),
    'with-backslashes': moved(302)(schemeless(target('with-backslashes')).replace('//', '\\\\')),
    'decimal-host': moved(302)(target('decimal-host').replace('127.0.0.1', '2130706433')),
    'mapped-host': moved(302)(target('mapped-host').replace('127.0.0.1', '[::ffff:7f00:1]')),
    'a-name': moved(302)(target('a-name').replace('127.0.0.1', 'canary.example-egress.com')),
    'a-rebinding-name': moved(302)(
      target('a-rebinding-name').replace('127.0.0.1', 'rebinding.example-egress.com'),
    ),
    'to-metadata': moved(302)('http://169.254.169.254/latest/meta-data/'),
    'to-a-file': moved(302)('file:///etc/hostname'),
    'refresh-header': page('<p>Moved.</p>', { refresh: `0; url=${target('refresh-header')}` }),
    'refresh-in-page': page(
      `<meta http-equiv="refresh" content="0; url=${target('refresh-in-page')}"><p>Moved.</p>`,
    ),
    'refresh-quoted': page(
      `<meta http-equiv=refresh content="0;URL='${target('refresh-quoted')}'"><p>Moved.</p>`,
    ),
    'by-script': page(`<p>Moved.</p><script>location = '${target('by-script')}'</script>`),
    'by-replace': page(`<p>Moved.</p><script>location.replace('${target('by-replace')}')</script>`),
    'by-link-click': page(
      `<a id="a" href="${target('by-link-click')}">on</a><script>document.getElementById('a').click()</script>`,
    ),
    'by-form': page(
      `<form id="f" method="post" action="${target('by-form')}"><input name="a"></form><script>document.getElementById('f').submit()</script>`,
    ),
    'by-form-get': page(
      `<form id="f" action="${target('by-form-get')}"></form><script>document.getElementById('f').submit()</script>`,
    ),
    'by-window': page(
      `<p>Moved.</p><script>open('${target('by-window')}'); open('${target('by-window')}', '_self')</script>`,
    ),
    'by-base': page(`<base href="${target('by-base')}"><p>Moved.</p><img src="a.png">`),
    'canonical-link': page(
      `<link rel="canonical" href="${target('canonical-link')}"><p>Moved.</p>`,
    ),
    'content-location': page('<p>Moved.</p>', { 'content-location': target('content-location') }),
    'link-header': page('<p>Moved.</p>', {
      link: `<${target('link-header')}>; rel=preload; as=script`,
    }),
  }
}
