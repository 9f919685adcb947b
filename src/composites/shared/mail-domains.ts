/** Lists of email domains and names of mailboxes. */

const DISPOSABLE = new Set(
  [
    '10minutemail.com 10minutemail.net 20minutemail.com 33mail.com anonbox.net armyspy.com burnermail.io cuvox.de dayrep.com discard.email',
    'dispostable.com dropmail.me einrot.com emailfake.com emailondeck.com fakeinbox.com fakemail.net fleckens.hu getairmail.com getnada.com',
    'grr.la guerrillamail.biz guerrillamail.com guerrillamail.de guerrillamail.info guerrillamail.net guerrillamail.org guerrillamailblock.com',
    'gustr.com harakirimail.com inboxbear.com inboxkitten.com incognitomail.org jourrapide.com mail-temp.com mail.tm mailcatch.com maildrop.cc',
    'mailexpire.com mailforspam.com mailinator.com mailinator.net mailmoat.com mailnesia.com mailnull.com mailpoof.com mailsac.com mintemail.com',
    'moakt.com mohmal.com mytemp.email mytrashmail.com nada.email pokemail.net rhyta.com sharklasers.com sneakemail.com spam4.me spamex.com',
    'spambox.us spamgourmet.com superrito.com tempail.com tempinbox.com temp-mail.io temp-mail.org tempmail.com tempmail.dev tempmail.net',
    'tempmailaddress.com tempmailo.com tempr.email teleworm.us throwawaymail.com tmail.ws tmpmail.net tmpmail.org trash-mail.com trashmail.com',
    'trashmail.de trashmail.me trashmail.net trbvm.com wegwerfmail.de wegwerfmail.net wegwerfmail.org yopmail.com yopmail.fr yopmail.net',
  ].flatMap((line) => line.split(' ')),
)

/** Whether the domain gives out temporary addresses. The list is short, so false is no proof. */
export function isDisposable(domain: string): boolean {
  return DISPOSABLE.has(domain)
}

/** Private mailboxes, whose domain does not identify an employer. */
const WEBMAIL = new Set(
  [
    'gmail.com msn.com passport.com ymail.com rocketmail.com aim.com icloud.com',
    'me.com mac.com proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.com tuta.io fastmail.com fastmail.fm hey.com zoho.com zohomail.com',
    'mail.com email.com web.de t-online.de freenet.de posteo.de mailbox.org orange.fr wanadoo.fr free.fr laposte.net sfr.fr bbox.fr',
    'libero.it virgilio.it tiscali.it alice.it mail.ru bk.ru inbox.ru list.ru ya.ru rambler.ru qq.com foxmail.com',
    '163.com 126.com yeah.net sina.com sina.cn sohu.com 139.com 189.cn aliyun.com naver.com daum.net hanmail.net nate.com rediffmail.com',
    'bol.com.br uol.com.br terra.com.br comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net btinternet.com',
    'virginmedia.com sky.com ntlworld.com talktalk.net bigpond.com optusnet.com.au shaw.ca rogers.com sympatico.ca telenet.be skynet.be',
    'ziggo.nl kpnmail.nl planet.nl bluewin.ch wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz abv.bg ukr.net inbox.lv mail.ee hushmail.com',
    'earthlink.net juno.com optonline.net frontier.com centurylink.net windstream.net vip.qq.com mail.bg mail.de arcor.de tin.it neuf.fr numericable.fr',
    'duck.com simplelogin.com mozmail.com privaterelay.appleid.com',
  ].flatMap((line) => line.split(' ')),
)
/** Providers with a domain in most countries. */
const WEBMAIL_OF_COUNTRIES =
  /^(?:yahoo|hotmail|outlook|live|aol|googlemail|gmx|yandex)\.(?:com|net|[a-z]{2}|com?\.[a-z]{2})$/

/** Whether the domain belongs to an email provider, so that it identifies no employer. */
export function isWebmailDomain(domain: string): boolean {
  return WEBMAIL.has(domain) || WEBMAIL_OF_COUNTRIES.test(domain)
}
