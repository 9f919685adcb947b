/** Decides by name what a planned demo may click: nothing that pays, deletes, sends or ends something. */

const HARMFUL = [
  'delete',
  'remove',
  'erase',
  'destroy',
  'clear',
  'reset',
  'revoke',
  'deactivate',
  'disable',
  'cancel',
  'unsubscribe',
  'uninstall',
  'pay',
  'buy',
  'purchase',
  'order',
  'checkout',
  'check out',
  'add to cart',
  'add to basket',
  'subscribe',
  'donate',
  'upgrade',
  'book',
  'reserve',
  'bid',
  'withdraw',
  'transfer',
  'log out',
  'logout',
  'log off',
  'sign out',
  'signout',
  'send',
  'submit',
  'publish',
  'post',
  'confirm',
  'approve',
  'accept',
  'install',
  'download',
  'löschen',
  'entfernen',
  'bezahlen',
  'kaufen',
  'bestellen',
  'abmelden',
  'kündigen',
  'senden',
  'supprimer',
  'payer',
  'acheter',
  'commander',
  'déconnexion',
  'se déconnecter',
  'envoyer',
  'eliminar',
  'borrar',
  'pagar',
  'comprar',
  'pedir',
  'cerrar sesión',
  'enviar',
]
const HARMFUL_WORDS = new RegExp(
  `(?<![\\p{L}\\p{N}])(${HARMFUL.map((words) => words.replaceAll(' ', '[\\s_-]*')).join('|')})(?![\\p{L}])`,
  'iu',
)
/** Pages without interest for a demo: accounts, carts, legal pages. */
const DULL_WORDS =
  /\b(log ?in|sign ?in|sign ?up|register|account|cart|basket|privacy|terms|cookies?|legal|imprint|impressum|careers?|jobs|press|sitemap|rss|accessibility|skip to)\b/i
const DULL_FILES =
  /\.(pdf|zip|gz|dmg|exe|msi|apk|png|jpe?g|gif|svg|mp4|mp3|csv|xlsx?|docx?|pptx?|xml|json|txt)$/i

export function isHarmlessName(words: string): boolean {
  return !HARMFUL_WORDS.test(words)
}

/** Whether a link is harmless and of interest. */
export function isLinkToShow(words: string, url: URL): boolean {
  // The fragment names a view, and may be the whole path of an application.
  const path = decode(`${url.pathname}${url.hash}`).replaceAll(/[/._#!?&=-]+/g, ' ')
  return (
    isHarmlessName(words) &&
    isHarmlessName(path) &&
    isHarmlessName(decode(url.search).replaceAll(/[&=_+-]+/g, ' ')) &&
    !DULL_WORDS.test(words) &&
    !DULL_WORDS.test(path) &&
    !DULL_FILES.test(url.pathname)
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
