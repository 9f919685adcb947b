import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judgePage, type JudgeReason } from './judge.ts'

/** Our own sentences in structures typical of each kind; no sample copies a vendor's page. */
const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`
const script = (length = 300): string => `<script>${'v(1);'.repeat(length / 5)}</script>`
const menu =
  '<header><a href="/">Start</a> <a href="/world">World</a> <a href="/sport">Sport</a> <a href="/business">Business</a> <a href="/culture">Culture</a></header>'
const prose = (sentence: string, times: number): string =>
  `<p>${Array.from({ length: times }, (_value, index) => `${sentence} (${index})`).join(' ')}</p>`

type Sample = readonly [name: string, html: string, reasons: readonly JudgeReason[]]
const bot = ['bot_wall'] as const

const BOT_WALLS: readonly Sample[] = [
  [
    'a captcha that only a vendor script names',
    page(
      'shop.example',
      `<p>Loading</p><script>var dd={'host':'geo.captcha-delivery.com','t':'fe'}</script><script src="https://ct.captcha-delivery.com/c.js"></script>`,
    ),
    bot,
  ],
  [
    'only a captcha in a frame',
    page(
      '',
      '<iframe src="https://geo.captcha-delivery.com/captcha/?initialCid=AH" title="Verification" width="100%"></iframe>',
    ),
    bot,
  ],
  [
    'a press-and-hold button drawn by a script',
    page(
      'Just one more step',
      `<div id="px-captcha"></div><p>Before we continue</p><script src="//client.px-cloud.net/a/main.min.js"></script>${script()}`,
    ),
    bot,
  ],
  [
    'an edge that delays behind sensor data',
    page(
      '',
      `<div id="sec-if-cpt-container"></div><script src="/_sec/cp_challenge/sec-cpt-4-4.js"></script>`,
    ),
    bot,
  ],
  [
    'an edge with milliseconds in a meta refresh',
    page(
      '',
      `<meta http-equiv="refresh" content="5; URL='/?bm-verify=AAQ'">${script(600)}<noscript>Powered and protected by the edge</noscript>`,
    ),
    bot,
  ],
  [
    'a firewall that names only its resource',
    `<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"><script src="/_Incapsula_Resource?SWJIYLWA=71"></script></head><body style="margin:0"><iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9"></iframe></body></html>`,
    bot,
  ],
  [
    'a cloud firewall that waits for a token',
    page(
      '',
      `<div id="challenge-container"></div><script src="https://1a2.edge.sdk.awswaf.com/1a2/9f/challenge.js"></script>${script()}<noscript><h1>JavaScript is disabled</h1>To continue, we have to check that you are no robot.</noscript>`,
    ),
    bot,
  ],
  [
    'a cloud firewall that shows puzzles',
    page(
      'Human Verification',
      `<div id="captcha-container"></div><script src="https://1a2.captcha.awswaf.com/captcha.js"></script>`,
    ),
    bot,
  ],
  [
    'a proof-of-work script under a path of two identifiers',
    `<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=1</script><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js?KP_UIDz=0"></script></body></html>`,
    bot,
  ],
  [
    'a box to tick and a name',
    page(
      'site.example',
      '<h1>One quick step</h1><p>Tick the box to go on to site.example.</p><form><div class="h-captcha" data-sitekey="x"></div><script src="https://hcaptcha.com/1/api.js"></script></form>',
    ),
    bot,
  ],
  [
    'a widget that spins',
    page(
      'site.example',
      '<p>Hang on.</p><div class="cf-turnstile" data-sitekey="0x4"></div><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>',
    ),
    bot,
  ],
  [
    'a puzzle before the search',
    page(
      'https://search.example/?q=x',
      '<p>To go on, please tick the box.</p><div class="g-recaptcha" data-sitekey="y"></div><p>IP address: 203.0.113.9 Time: 2026-11-02</p>',
    ),
    bot,
  ],
  [
    'a request for scripts and cookies',
    page('site.example', '<h1>site.example</h1><p>Enable JavaScript and cookies to continue</p>'),
    bot,
  ],
  [
    'a request for cookies and scripts in German',
    page('site.example', '<p>Bitte aktivieren Sie JavaScript und Cookies, um fortzufahren.</p>'),
    bot,
  ],
  [
    'a check in French',
    page(
      'Vérification de sécurité',
      '<p>Vérification de votre navigateur en cours. Cela ne prend que quelques secondes.</p>',
    ),
    bot,
  ],
  [
    'a refusal in Spanish',
    page('Acceso denegado', '<p>No tiene permiso para acceder a este sitio.</p>'),
    bot,
  ],
  [
    'a check in Portuguese',
    page('Um momento…', '<p>Verificando se você é humano. Isso pode levar alguns segundos.</p>'),
    bot,
  ],
  [
    'a refusal in Italian',
    page(
      'Accesso negato',
      '<p>Il tuo indirizzo IP è stato bloccato. Dimostra di non essere un robot.</p>',
    ),
    bot,
  ],
  [
    'a refusal in Polish',
    page('Dostęp zabroniony', '<p>Potwierdź, że nie jesteś robotem.</p>'),
    bot,
  ],
  [
    'a check in Dutch',
    page('Een moment geduld', '<p>Bevestig dat u geen robot bent om verder te gaan.</p>'),
    bot,
  ],
  ['a check in Turkish', page('Bir dakika lütfen', '<p>Robot olmadığınızı doğrulayın.</p>'), bot],
  [
    'a check in Japanese',
    page('セキュリティチェック', '<p>お客様がロボットではないことを確認しています。</p>'),
    bot,
  ],
  [
    'a check in Korean',
    page('잠시만 기다려 주세요', '<p>로봇이 아님을 확인하는 중입니다.</p>'),
    bot,
  ],
  [
    'a check in Russian',
    page('Вы не робот?', '<p>Подтвердите, что запросы отправляли вы, а не робот.</p>'),
    bot,
  ],
  [
    'too many calls from one address',
    page(
      'Slow down',
      '<h1>Slow down!</h1><p>You are sending requests too quickly. Please wait a few minutes before you try again.</p>',
    ),
    bot,
  ],
  [
    'too many calls in German',
    page(
      'Zu viele Anfragen',
      '<p>Sie haben zu viele Anfragen gesendet. Bitte versuchen Sie es später erneut.</p>',
    ),
    bot,
  ],
  [
    'a limit that names itself',
    page(
      'Rate limited',
      '<h1>Rate limited</h1><p>This address has made too many calls. Try again in a minute.</p>',
    ),
    bot,
  ],
  [
    'a refusal of an address range',
    page(
      'Sorry',
      '<p>Access from your network is blocked because of abuse. If you use a VPN or proxy, switch it off and reload.</p>',
    ),
    bot,
  ],
  [
    'a refusal of a folder',
    page(
      'Access Denied',
      '<h2>Access Denied</h2><p>You are not authorized to view this directory.</p>',
    ),
    bot,
  ],
  [
    'a refusal with an error number',
    page(
      'ERROR: The request could not be satisfied',
      '<h1>403 ERROR</h1><h2>The request could not be satisfied.</h2><hr>Request blocked. We can not connect to the server for this app or website at this time.<pre>Generated by cdn Request ID: Zq1-x</pre>',
    ),
    bot,
  ],
  ['a check in Ukrainian', page('Трохи зачекайте…', '<p>Підтвердьте, що ви людина.</p>'), bot],
  ['a check in Czech', page('Okamžik…', '<p>Ověřujeme, že jste člověk.</p>'), bot],
  ['a check in Swedish', page('Vänta…', '<p>Verifierar att du är människa.</p>'), bot],
  [
    'a check in Indonesian',
    page('Tunggu sebentar', '<p>Memverifikasi bahwa Anda adalah manusia.</p>'),
    bot,
  ],
  ['a check in Vietnamese', page('Chờ một chút', '<p>Xác minh bạn là con người.</p>'), bot],
  ['a check in Greek', page('Μισό λεπτό…', '<p>Επαλήθευση ότι είστε άνθρωπος.</p>'), bot],
  ['a check in Arabic', page('لحظة…', '<p>التحقق من أنك إنسان.</p>'), bot],
  ['a check in Thai', page('รอสักครู่', '<p>กำลังยืนยันว่าคุณเป็นมนุษย์</p>'), bot],
  ['a check in Hindi', page('एक क्षण', '<p>देखा जा रहा है कि आप मनुष्य हैं।</p>'), bot],
  [
    'a check of the browser in Russian',
    page('Почти готово', '<p>Проверяем браузер перед входом на сайт.</p>'),
    bot,
  ],
  [
    'a refusal that speaks of speed in French',
    page('site.example', '<p>Vous naviguez à une vitesse surhumaine.</p>'),
    bot,
  ],
  [
    'a refusal for unusual access in Korean',
    page('쇼핑', '<p>비정상적인 접근을 제한하고 있습니다.</p>'),
    bot,
  ],
  [
    'a slider in Spanish',
    page('site.example', '<p>Desliza hacia la derecha para continuar.</p>'),
    bot,
  ],
  [
    'a click that a shop asks for in German',
    page(
      'shop.example',
      '<h4>Klicke auf die Schaltfläche unten, um weiter einzukaufen</h4><button>Weiter</button>',
    ),
    bot,
  ],
  [
    'the characters of an image in Italian',
    page('shop.example', '<p>Inserisci i caratteri che vedi qui sotto.</p><input type="text">'),
    bot,
  ],
  [
    'a proof of humanity',
    page('Network', '<h1>Prove your humanity</h1><p>A short puzzle, and on you go.</p>'),
    bot,
  ],
  [
    'a firewall that blocks a page',
    page('Web Page Blocked!', '<p>The page cannot be shown. Client: 203.0.113.9</p>'),
    bot,
  ],
  [
    'a box to tick of a European maker',
    page('Abfrage', '<p>Einen Augenblick.</p><div class="frc-captcha" data-sitekey="k"></div>'),
    bot,
  ],
]

const OTHER_WALLS: readonly Sample[] = [
  [
    'a video for other countries',
    page('Video', '<p>Sorry, this video is not available in your country.</p>'),
    ['geo_wall'],
  ],
  [
    'a shop for other regions',
    page(
      'Shop',
      '<h1>We do not ship there yet</h1><p>This site is not available in your region.</p>',
    ),
    ['geo_wall'],
  ],
  [
    'a newspaper that leaves a continent out',
    page(
      'The Paper',
      '<p>Our website is currently unavailable to visitors from the European Union and the EEA while we work on data protection rules (GDPR).</p>',
    ),
    ['geo_wall'],
  ],
  [
    'a video for other countries in German',
    page('Video', '<p>Dieses Video ist in deinem Land leider nicht verfügbar.</p>'),
    ['geo_wall'],
  ],
  [
    'a video for other countries in French',
    page('Vidéo', "<p>Ce contenu n'est pas disponible dans votre pays.</p>"),
    ['geo_wall'],
  ],
  [
    'a video for other countries in Spanish',
    page('Vídeo', '<p>Este contenido no está disponible en tu país.</p>'),
    ['geo_wall'],
  ],
  [
    'consent or subscription in German',
    page(
      'Die Zeitung',
      '<h1>Weiter mit Werbung lesen</h1><p>Besuchen Sie uns wie gewohnt mit Werbung und Tracking. Die Zustimmung ist jederzeit widerrufbar. Alle akzeptieren. Oder: Pur-Abo abschließen.</p>',
    ),
    ['consent_wall'],
  ],
  [
    'consent in French',
    page(
      'Le Journal',
      '<p>Avec votre accord, nos partenaires et nous utilisons des cookies. Tout accepter. Continuer sans accepter.</p>',
    ),
    ['consent_wall'],
  ],
  [
    'consent in Spanish',
    page(
      'El Diario',
      '<p>Nosotros y nuestros socios utilizamos cookies. Aceptar todo. Rechazar todo.</p>',
    ),
    ['consent_wall'],
  ],
  [
    'consent in Italian',
    page(
      'Il Giornale',
      '<p>Noi e i nostri partner utilizziamo i cookie. Accetta tutto o abbonati.</p>',
    ),
    ['consent_wall'],
  ],
  [
    'consent in Dutch',
    page(
      'De Krant',
      '<p>Wij en onze partners gebruiken cookies. Alles accepteren. Instellingen beheren.</p>',
    ),
    ['consent_wall'],
  ],
  [
    'consent of an age',
    page(
      'Shop',
      '<p>Are you over 18? You must be of legal drinking age to enter this site.</p><a href="#">Yes</a> <a href="#">No</a>',
    ),
    ['consent_wall'],
  ],
  [
    'a login of a network',
    page(
      'Network: log in or sign up',
      '<p>Log in to see photos and posts from your friends.</p><form><input name="u"><input type="password"></form><a>Forgot password?</a> <a>Create new account</a>',
    ),
    ['login_wall'],
  ],
  [
    'a login of a company',
    page(
      'Sign in',
      '<h1>Sign in</h1><p>Use your work account.</p><form><input name="u"><input type="password"></form>',
    ),
    ['login_wall'],
  ],
  [
    'a login in German',
    page(
      'Anmelden',
      '<p>Bitte melden Sie sich an, um fortzufahren.</p><form><input type="password"></form>',
    ),
    ['login_wall'],
  ],
  [
    'a login in French',
    page('Connexion', '<p>Vous devez être connecté pour voir cette page.</p>'),
    ['login_wall'],
  ],
  [
    'a login in Spanish',
    page('Iniciar sesión', '<p>Debes iniciar sesión para continuar.</p>'),
    ['login_wall'],
  ],
  [
    'a login without a title of its own',
    page(
      'Network',
      '<form><input name="u"><input type="password"><button>Log in</button></form><a>Forgot password?</a> <a>Sign up</a>',
    ),
    ['login_wall'],
  ],
  [
    'the first of two steps of a login',
    page(
      'Sign in to your account',
      '<p>Sign in</p><form><input type="email" name="u"><button>Next</button></form>',
    ),
    ['login_wall'],
  ],
  [
    'a login in Spanish before anything else',
    page(
      'Mercado',
      '<h1>¡Hola! Para continuar, ingresa a tu cuenta</h1><a href="/n">Soy nuevo</a>',
    ),
    ['login_wall'],
  ],
  [
    'consent in Dutch with the number of partners',
    page('De Krant', '<p>Wij en onze 143 partners gebruiken cookies.</p><button>Akkoord</button>'),
    ['consent_wall'],
  ],
  [
    'the stub of a paid article',
    page(
      'Bridges of the North | The Paper',
      `${menu}<h1>Bridges of the North</h1><p>The council met on Tuesday.</p><div class="paywall"><h2>This article is for subscribers only</h2><p>Subscribe to continue reading. Already a subscriber? Log in.</p></div>`,
    ),
    ['login_wall'],
  ],
  [
    'the stub of a paid article in German',
    page(
      'Brücken | Die Zeitung',
      `${menu}<h1>Brücken</h1><p>Der Rat tagte am Dienstag.</p><p>Dieser Artikel ist nur für Abonnenten. Jetzt abonnieren und weiterlesen.</p>`,
    ),
    ['login_wall'],
  ],
  [
    'the stub of a paid article in French',
    page(
      'Ponts | Le Journal',
      `${menu}<h1>Ponts</h1><p>Le conseil s'est réuni mardi.</p><p>Cet article est réservé aux abonnés. Il vous reste 90 % de cet article à lire.</p>`,
    ),
    ['login_wall'],
  ],
]

const THIN: readonly Sample[] = [
  [
    'maintenance',
    page(
      'Maintenance',
      '<h1>We will be back soon</h1><p>The site is down for scheduled maintenance. Please check back later.</p>',
    ),
    ['error_page'],
  ],
  [
    'maintenance in German',
    page(
      'Wartungsarbeiten',
      '<p>Wegen Wartungsarbeiten ist diese Seite derzeit nicht erreichbar.</p>',
    ),
    ['error_page'],
  ],
  [
    'an application that crashed',
    page(
      'Application error',
      '<h2>Application error: a client-side exception has occurred (see the browser console for more information).</h2>',
    ),
    ['error_page'],
  ],
  [
    'a database that is away',
    page('Error', '<h1>Error establishing a database connection</h1>'),
    ['error_page'],
  ],
  [
    'something that went wrong',
    page('Shop', '<h1>Something went wrong</h1><p>Please try again later.</p>'),
    ['error_page'],
  ],
  [
    'a soft 404 of a shop',
    page(
      'Shop',
      `${menu}<h1>Oops!</h1><p>We can't find the page you're looking for. Try our search, or go back to the home page.</p>`,
    ),
    ['error_page'],
  ],
  [
    'a product that is gone',
    page(
      'Shop',
      `${menu}<p>Sorry, this page isn't available. The link you followed may be broken, or the page may have been removed.</p>`,
    ),
    ['error_page'],
  ],
  [
    'a soft 404 in German',
    page('Seite nicht gefunden', '<p>Die von Ihnen gesuchte Seite existiert leider nicht.</p>'),
    ['error_page'],
  ],
  [
    'a soft 404 in French',
    page('Page introuvable', "<p>La page que vous cherchez n'existe pas ou a été déplacée.</p>"),
    ['error_page'],
  ],
  [
    'a soft 404 in Spanish',
    page('Página no encontrada', '<p>La página que buscas no existe.</p>'),
    ['error_page'],
  ],
  [
    'a soft 404 in Italian',
    page('Pagina non trovata', '<p>La pagina che stai cercando non esiste.</p>'),
    ['error_page'],
  ],
  [
    'a soft 404 in Portuguese',
    page('Página não encontrada', '<p>A página que você procura não existe.</p>'),
    ['error_page'],
  ],
  [
    'a soft 404 in Japanese',
    page('ページが見つかりません', '<p>お探しのページは見つかりませんでした。</p>'),
    ['error_page'],
  ],
  [
    'a soft 404 in Chinese',
    page('页面不存在', '<p>抱歉，您访问的页面不存在或已被删除。</p>'),
    ['error_page'],
  ],
  [
    'a soft 404 in Russian',
    page('Страница не найдена', '<p>Запрошенная страница не существует.</p>'),
    ['error_page'],
  ],
  [
    'a soft 404 in Swedish',
    page('Sidan hittades inte', '<p>Sidan du söker finns tyvärr inte.</p>'),
    ['error_page'],
  ],
  [
    'a soft 404 in Norwegian',
    page('Hytte', '<p>Siden du leter etter finnes ikke.</p>'),
    ['error_page'],
  ],
  ['a soft 404 in Finnish', page('Sivua ei löytynyt', '<p>Hups.</p>'), ['error_page']],
  ['a soft 404 in Czech', page('Obchod', '<p>Požadovaná stránka neexistuje.</p>'), ['error_page']],
  ['a soft 404 in Turkish', page('Mağaza', '<h1>Aradığınız sayfa bulunamadı</h1>'), ['error_page']],
  [
    'a soft 404 in Arabic',
    page('متجر', '<p>الصفحة التي تبحث عنها غير موجودة.</p>'),
    ['error_page'],
  ],
  [
    'a soft 404 in Indonesian',
    page('Toko', '<p>Halaman yang Anda cari tidak ditemukan.</p>'),
    ['error_page'],
  ],
  [
    'a soft 404 in Greek',
    page('Κατάστημα', '<p>Η σελίδα που ζητάτε δεν υπάρχει.</p>'),
    ['error_page'],
  ],
  [
    'a domain for sale in German',
    page('example.test', '<p>Die Domain example.test steht zum Verkauf.</p>'),
    ['error_page'],
  ],
  [
    'a program that ended with its own words',
    `<br /><b>Fatal error</b>: Uncaught Error: Call to undefined function f() in /srv/index.php:3 thrown in <b>/srv/index.php</b> on line <b>3</b><br />`,
    ['error_page'],
  ],
  [
    'a server that ended',
    page('Runtime Error', `<h1>Server Error in '/' Application.</h1>`),
    ['error_page'],
  ],
  [
    'a domain for sale',
    page(
      'example.test',
      '<h1>example.test</h1><p>This domain is for sale! Inquire now or make an offer.</p>',
    ),
    ['error_page'],
  ],
  [
    'a parked domain',
    page(
      'example.test',
      '<p>example.test</p><p>This domain is parked free of charge. Related searches: Loans, Insurance, Hosting</p>',
    ),
    ['error_page'],
  ],
  [
    'a suspended account',
    page(
      'Account Suspended',
      '<h1>Account Suspended</h1><p>This account has been suspended. Contact your hosting provider for more information.</p>',
    ),
    ['error_page'],
  ],
  [
    'the page of a fresh server',
    page(
      'Welcome to nginx!',
      '<h1>Welcome to nginx!</h1><p>If you see this page, the web server is successfully installed and working. Further configuration is required.</p>',
    ),
    ['error_page'],
  ],
  [
    'a browser that is too old',
    page('Shop', '<p>Your browser is not supported. Please update your browser to continue.</p>'),
    ['needs_javascript', 'error_page'],
  ],
  [
    'an application without scripts in French',
    page(
      'Boutique',
      '<noscript>Vous devez activer JavaScript pour utiliser cette application.</noscript><div id="app"></div><script src="/a.js"></script>',
    ),
    ['needs_javascript'],
  ],
  [
    'an application without scripts in Japanese',
    page(
      'ショップ',
      '<noscript>このサイトを利用するにはJavaScriptを有効にしてください。</noscript><div id="app"></div><script src="/a.js"></script>',
    ),
    ['needs_javascript'],
  ],
  [
    'an application that is loading',
    page('Dashboard', `<div id="root"><div class="spinner">Loading…</div></div>${script(9000)}`),
    ['empty_shell', 'needs_javascript'],
  ],
]

const longMenu = `<nav>${Array.from({ length: 20 }, (_value, index) => `<a href="/${index}">Topic ${index}</a>`).join(' ')}</nav>`
const ABOUT: Record<string, string> = {
  'a guide to a captcha, with the box itself on it': page(
    'Adding the box to your form',
    `${longMenu}<h1>Adding the box to your form</h1>${prose('Put the element where the box shall stand, load the script, and send its answer along with the form, so that your server can ask whether it is right.', 5)}<pre>&lt;div class="g-recaptcha">&lt;/div></pre><div class="g-recaptcha" data-sitekey="k"></div>`,
  ),
  'a help page about being refused': page(
    'Access denied: what it means and what to do | Help',
    `${longMenu}<h1>Access denied: what it means</h1>${prose('When a folder is not yours the server answers with access denied, and an administrator can give you the right to read it.', 6)}`,
  ),
  'a contact form with a box to tick': page(
    'Contact',
    '<h1>Contact</h1><p>Write to us.</p><form><input name="name"><textarea></textarea><div class="h-captcha" data-sitekey="k"></div></form>',
  ),
  'an article about consent in German': page(
    'Was Zustimmung heißt',
    prose(
      'Viele Seiten fragen nach einer Zustimmung, weil wir und unsere Partner Cookies verwenden dürfen, wenn alle akzeptieren.',
      12,
    ),
  ),
  'an article about domains': page(
    'How names are sold',
    prose('When a name is not renewed, somebody else may say that this domain is for sale.', 12),
  ),
  'an article about an outage': page(
    'The outage of May',
    prose(
      'The site is down for maintenance, said the page that readers saw for a day, and something went wrong, please try again later.',
      12,
    ),
  ),
  'a short answer in a list of questions about countries': page(
    'Deliveries',
    `${longMenu}${prose('We send parcels to most countries within two weeks, and what is not available in your country is marked so in the basket.', 6)}`,
  ),
  'a page behind a firewall that watches it': page(
    'Opening hours',
    `<script src="/_Incapsula_Resource?SWJIYLWA=71"></script><h1>Opening hours</h1>${prose('We are open from nine to five on every day but Sunday.', 5)}`,
  ),
  'a short page of a shop that asks for consent at its edge': page(
    'Oak chair – Shop',
    '<div>We value your privacy. We use cookies. Accept all. Manage preferences.</div><h1>Oak chair</h1><p>Solid oak, oiled by hand. 149 €. Delivery in five days, and free returns within a month.</p>',
  ),
  'a bottle that is not for children': page(
    'Single malt 12 years | Shop',
    '<h1>Single malt 12 years</h1><p>70 cl, 43 %. Notes of honey and smoke. You must be 18 or older to buy it.</p>',
  ),
  'a short thread to which only members answer': page(
    'Where to buy pans? - Forum',
    '<h1>Where to buy pans?</h1><p>I look for an iron pan. Anyone?</p><p>Try the market at the harbour.</p><p>You must log in or register to reply here.</p>',
  ),
  'a short thread to which only members answer in French': page(
    'Poêles - Forum',
    '<p>Je cherche une poêle en fer.</p><p>Au marché du port, le samedi.</p><p>Vous devez être connecté pour répondre à ce sujet.</p>',
  ),
  'a short post with a request over its comments': page(
    'Why I like tea',
    '<p>It is warm and cheap, and asks for nothing but water and five minutes.</p><p>You must be logged in to post a comment.</p>',
  ),
  'a list of short posts that can each be read': page(
    'Journal',
    '<h2>A new bridge</h2><p>It opens in May. <a href="/1">Keep reading</a></p><h2>Tea</h2><p>Five minutes. <a href="/2">Keep reading</a></p>',
  ),
  'a short manual of a thing with a button': page(
    'Reset the speaker | Help',
    '<h1>Reset the speaker</h1><p>Press and hold the button for ten seconds. The light blinks red. Then pair it with your phone again.</p>',
  ),
  'a short note on a signing-up': page(
    'Verify your account',
    '<h1>Verify your account</h1><p>To verify you are human we send a code by mail. Type it within ten minutes, or ask for another one.</p>',
  ),
  'a part of a shower in Chinese': page(
    '浴室配件',
    '<p>淋浴房滑块 价格：25元 材质：不锈钢 适用：玻璃门 库存：100件 发货：48小时内</p>',
  ),
  'a book with a title that walls have too': page(
    'Slow Down: how we lost our hours',
    '<p>A book about time. Paperback, 240 pages. In stock.</p>',
  ),
  'a newspaper named like an error number': page(
    '404 Media',
    '<p>Stories: phones and how they listen, a firm that sold data of flights, the last shop for typewriters.</p>',
  ),
  'a movie with a title that errors have too': page(
    'Forbidden (1932)',
    '<p>A film of 83 minutes in which a librarian meets a lawyer on a ship.</p>',
  ),
  'a company that maintains elevators': page(
    'Maintenance',
    '<p>Lifts, heating, roofs: our technicians keep houses in order in two counties. Call for a visit.</p>',
  ),
  'a short guide to switching scripts on': page(
    'How to enable JavaScript – Help',
    '<h1>How to enable JavaScript</h1><p>Open the settings, choose privacy and security, click site settings, then JavaScript, and allow it. Reload the page afterwards, or start the browser again.</p>',
  ),
  'a short note on scripts': page(
    'Scripts',
    prose('JavaScript in the browser is a language for pages.', 8),
  ),
}

describe('pages about walls', () => {
  for (const [name, html] of Object.entries(ABOUT)) {
    it(`judges as a page: ${name}`, () => {
      const content = html.replace(/<script.*?<\/script>|<[^>]+>/g, ' ')
      const verdict = judgePage({
        html,
        content,
        title: null,
        status: 200,
        finalUrl: 'https://site.example/page',
      })
      assert.deepEqual(verdict.flags, [], verdict.reason)
    })
  }
})

describe('walls of many makers, all with status 200', () => {
  for (const [kind, samples, flag] of [
    ['bot wall', BOT_WALLS, 'blocked'],
    ['other wall', OTHER_WALLS, 'blocked'],
    ['thin', THIN, 'thin_content'],
  ] as const) {
    for (const [name, html, reasons] of samples) {
      it(`${kind}: ${name}`, () => {
        const verdict = judgePage({
          html,
          content: '',
          title: null,
          status: 200,
          finalUrl: 'https://site.example/page',
        })
        assert.deepEqual(verdict.flags, [flag], verdict.reason)
        assert.ok(reasons.includes(verdict.reason ?? 'http_status'), verdict.reason)
      })
    }
  }
})
