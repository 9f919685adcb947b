const asScript = (code: string): string => `<script>try { ${code} } catch {}</script>`

/** Elements and scripts that make a browser send a request, each to a path of its own. */
export function pageBorne(target: (name: string) => string): Readonly<Record<string, string>> {
  const with_ = (name: string, html: (url: string) => string): readonly [string, string] => [
    name,
    html(target(name)),
  ]
  const socket = (url: string): string => url.replace('http:', 'ws:')
  return Object.fromEntries([
    with_('img', (url) => `<img src="${url}">`),
    with_('img-srcset', (url) => `<img srcset="${url} 1x, ${url} 2x">`),
    with_('picture', (url) => `<picture><source srcset="${url}"><img></picture>`),
    with_('lazy-img', (url) => `<img loading="lazy" src="${url}">`),
    with_('input-image', (url) => `<input type="image" src="${url}">`),
    with_('body-background', (url) => `<table background="${url}"><tr><td>a</td></tr></table>`),
    with_('script', (url) => `<script src="${url}"></script>`),
    with_('module', (url) => `<script type="module" src="${url}"></script>`),
    with_('import-call', (url) => asScript(`import('${url}').catch(() => 0)`)),
    with_(
      'import-map',
      (url) =>
        `<script type="importmap">{"imports":{"a":"${url}"}}</script><script type="module">import('a').catch(() => 0)</script>`,
    ),
    with_('stylesheet', (url) => `<link rel="stylesheet" href="${url}">`),
    with_('style-import', (url) => `<style>@import url(${url});</style>`),
    with_('style-background', (url) => `<p style="background: url(${url})">a</p>`),
    with_(
      'style-font',
      (url) =>
        `<style>@font-face { font-family: F; src: url(${url}) } .f { font-family: F }</style><p class="f">a</p>`,
    ),
    with_('style-cursor', (url) => `<p style="cursor: url(${url}), auto">a</p>`),
    with_('style-list', (url) => `<ul style="list-style-image: url(${url})"><li>a</li></ul>`),
    with_(
      'style-content',
      (url) => `<style>.c::before { content: url(${url}) }</style><p class="c">a</p>`,
    ),
    with_('iframe', (url) => `<iframe src="${url}"></iframe>`),
    with_('iframe-srcdoc', (url) => `<iframe srcdoc="<img src='${url}'>"></iframe>`),
    with_(
      'iframe-script',
      (url) => `<iframe srcdoc="<script>location='${url}'</script>"></iframe>`,
    ),
    with_(
      'iframe-refresh',
      (url) => `<iframe srcdoc="<meta http-equiv=refresh content='0;url=${url}'>"></iframe>`,
    ),
    with_('frame-by-script', (url) =>
      asScript(
        `const f = document.createElement('iframe'); f.src = '${url}'; document.body.append(f)`,
      ),
    ),
    with_('object', (url) => `<object data="${url}"></object>`),
    with_('embed', (url) => `<embed src="${url}">`),
    with_('video', (url) => `<video src="${url}" autoplay muted></video>`),
    with_('video-poster', (url) => `<video poster="${url}"></video>`),
    with_('audio', (url) => `<audio src="${url}" autoplay></audio>`),
    with_('track', (url) => `<video><track default src="${url}"></video>`),
    with_('favicon', (url) => `<link rel="icon" href="${url}">`),
    with_('manifest', (url) => `<link rel="manifest" href="${url}">`),
    with_('preload', (url) => `<link rel="preload" as="fetch" href="${url}">`),
    with_('prefetch', (url) => `<link rel="prefetch" href="${url}">`),
    with_('prerender', (url) => `<link rel="prerender" href="${url}">`),
    with_('modulepreload', (url) => `<link rel="modulepreload" href="${url}">`),
    with_('preconnect', (url) => `<link rel="preconnect" href="${url}">`),
    with_('dns-prefetch', (url) => `<link rel="dns-prefetch" href="${url}">`),
    with_(
      'speculation-rules',
      (url) =>
        `<script type="speculationrules">{"prefetch":[{"urls":["${url}"],"eagerness":"immediate"}],"prerender":[{"urls":["${url}"],"eagerness":"immediate"}]}</script>`,
    ),
    with_('svg-image', (url) => `<svg><image href="${url}"/></svg>`),
    with_('svg-use', (url) => `<svg><use href="${url}#a"/></svg>`),
    with_(
      'svg-filter',
      (url) =>
        `<svg><filter id="x"><feImage href="${url}"/></filter><rect filter="url(#x)" width="1" height="1"/></svg>`,
    ),
    with_('fetch', (url) => asScript(`fetch('${url}').catch(() => 0)`)),
    with_('fetch-no-cors', (url) =>
      asScript(`fetch('${url}', { mode: 'no-cors', method: 'POST', body: 'a' }).catch(() => 0)`),
    ),
    with_('fetch-keepalive', (url) =>
      asScript(`fetch('${url}', { keepalive: true, mode: 'no-cors' }).catch(() => 0)`),
    ),
    with_('xhr', (url) =>
      asScript(`const x = new XMLHttpRequest(); x.open('GET', '${url}'); x.send()`),
    ),
    with_('xhr-synchronous', (url) =>
      asScript(`const x = new XMLHttpRequest(); x.open('GET', '${url}', false); x.send()`),
    ),
    with_('beacon', (url) => asScript(`navigator.sendBeacon('${url}', 'a')`)),
    with_('event-source', (url) => asScript(`new EventSource('${url}')`)),
    with_('web-socket', (url) => asScript(`new WebSocket('${socket(url)}')`)),
    with_('web-transport', (url) =>
      asScript(`new WebTransport('${url.replace('http:', 'https:')}').ready.catch(() => 0)`),
    ),
    with_('worker', (url) =>
      asScript(`new Worker(URL.createObjectURL(new Blob(["fetch('${url}')"])))`),
    ),
    with_('worker-import', (url) =>
      asScript(`new Worker(URL.createObjectURL(new Blob(["importScripts('${url}')"])))`),
    ),
    with_('shared-worker', (url) =>
      asScript(`new SharedWorker(URL.createObjectURL(new Blob(["fetch('${url}')"])))`),
    ),
    with_('new-image', (url) => asScript(`new Image().src = '${url}'`)),
    with_('new-audio', (url) => asScript(`new Audio('${url}').play().catch(() => 0)`)),
    with_('document-write', (url) => asScript(`document.write('<img src="${url}">')`)),
    with_('inner-html', (url) =>
      asScript(`document.body.insertAdjacentHTML('beforeend', '<img src="${url}">')`),
    ),
    with_(
      'shadow-root',
      (url) => `<div><template shadowrootmode="open"><img src="${url}"></template></div>`,
    ),
    with_('noscript', (url) => `<noscript><img src="${url}"></noscript>`),
    with_(
      'form-in-frame',
      (url) =>
        `<iframe name="t"></iframe><form id="ff" target="t" method="post" action="${url}"></form>${asScript(`document.getElementById('ff').submit()`)}`,
    ),
    with_(
      'ping',
      (url) =>
        `<a id="p" href="#" ping="${url}">a</a>${asScript(`document.getElementById('p').click()`)}`,
    ),
    with_('popup', (url) => asScript(`open('${url}')`)),
    with_('xslt', (url) =>
      asScript(
        `const d = new DOMParser().parseFromString('<?xml-stylesheet href="${url}"?><a/>', 'text/xml'); document.body.append(d.documentElement)`,
      ),
    ),
    with_('web-rtc', (url) =>
      asScript(
        `const c = new RTCPeerConnection({ iceServers: [{ urls: 'turn:${new URL(url).host}?transport=tcp', username: 'a', credential: 'b' }] }); c.createDataChannel('a'); c.createOffer().then((o) => c.setLocalDescription(o))`,
      ),
    ),
    with_('paint-worklet', (url) =>
      asScript(`CSS.paintWorklet.addModule('${url}').catch(() => 0)`),
    ),
    with_('audio-worklet', (url) =>
      asScript(`new AudioContext().audioWorklet.addModule('${url}').catch(() => 0)`),
    ),
    with_('cache-api', (url) =>
      asScript(`caches.open('a').then((c) => c.add('${url}')).catch(() => 0)`),
    ),
    with_('font-face', (url) => asScript(`new FontFace('G', 'url(${url})').load().catch(() => 0)`)),
    with_('fetch-later', (url) => asScript(`fetchLater('${url}', { activateAfter: 0 })`)),
    with_('portal', (url) => `<portal src="${url}"></portal>`),
    with_(
      'fenced-frame',
      (url) =>
        `<fencedframe></fencedframe>${asScript(`document.querySelector('fencedframe').config = new FencedFrameConfig('${url}')`)}`,
    ),
    with_('attribution', (url) => `<img attributionsrc="${url}">`),
    with_('media-source', (url) => `<video><source src="${url}" type="video/mp4"></video>`),
    with_('applet', (url) => `<applet code="a" codebase="${url}"></applet>`),
    with_('model', (url) => `<model src="${url}"></model>`),
  ])
}
