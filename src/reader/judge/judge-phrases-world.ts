/**
 * The phrases of `judge-phrases.ts` in other languages, and lists that cover all languages. Matched
 * against lower-case visible text.
 */

export const WALL_TITLES_WORLD =
  /^(un instant|einen moment|(einen|een) moment geduld|un momento|um momento|bir dakika|один момент|вы не робот|accès (refusé|interdit)|acceso denegado|accesso negato|acesso negado|zugriff verweigert|toegang geweigerd|dostęp zabroniony|erişim engellendi|sicherheits(prüfung|überprüfung)|vérification de sécurité|verificación de seguridad|verifica di sicurezza|zu viele anfragen|trop de requêtes|demasiadas solicitudes|请稍候|人机验证|.{0,6}安全验证|滑动验证|访问受限|セキュリティチェック|アクセスが拒否|잠시만 기다|почти готово)/

/** Requests to prove that the visitor is human. */
const HUMANS: readonly RegExp[] = [
  /(human|humano|humain|umano|mensch|человек) ?(or|o|ou|oder|или) (an? |un |um |eine? )?(ro)?bot|(ro)?bot(er)? (or|o|ou|oder) (an? |un |um |eine? )?(human|humano|humain|umano|mensch|not)\b/,
  /anti-?crawler|anti-?rastread|(vérifie|überprüft|prüft|comprueba|verifica|controlla|controleert|sprawdza|проверяет) .{0,20}(votre navigateur|ihren browser|deinen browser|(tu|su|seu) navegador|il (tuo|suo) browser|uw browser|twoją przeglądarkę|ваш браузер)/,
  /complete? (o|el) desaf[ií]o|(terminez|complétez|relevez) le défi|(lösen|löse) (sie )?die aufgabe|completa la (sfida|verifica)/,
  /no (eres|es) una máquina/,
  // Slovak, Catalan, Uzbek, Croatian, Bulgarian and others; `refusal-words-more.ts` has their sentences.
  /nie (ste|si) robot|no (sou|ets) (un |cap )?robot|robot emaslig|niste robot|не сте робот|ei ole robot/,
  /kein(e)? (ro)?bot(er)?( sind|$|\W)|dass (sie|du) (ein )?mensch/,
  /(pas|ne soit pas|n'êtes pas) un robot|vérifi(er|ez|cation) (que vous êtes|de votre navigateur)|êtes (bien )?(un )?humain/,
  /no (es|eres|soy|sea) un robot|verifi(que|ca|cando) (que|si) (es|eres) (un )?(ser )?humano|comprobando (su|tu) navegador/,
  /não (é|sou) um robô|verificando se você é|confirme que (você )?é humano/,
  /non (essere|sei|sono) un robot|verifica di essere umano/,
  /geen robot|niet een robot|bevestig dat (u|je) (een )?mens/,
  /nie (jesteś|jestem) robotem|jesteś człowiekiem/,
  /robot olmadığını/,
  /не робот|вы (не )?робот|проверка браузера|подтвердите, что (вы|запросы)/,
  /ロボットでは(ない|ありません)|人間であることを確認/,
  /로봇이 아(님|닙니다|닌지)|사람인지 확인/,
  /(拖动|拖動|按住|滑动).{0,10}(滑块|滑塊|拼图|最右)|验证码|人机验证|安全验证|访问验证|请(完成|进行).{0,4}验证|(確認|确认|验证|驗證)您是(否是|不是)?真人/,
  /التحقق من أنك إنسان|لست روبوت|تأیید اینکه شما انسان|ربات نیستید|מאמת שאתה אנושי|אינך רובוט/,
  /підтвердьте, що ви (людина|не робот)|не робот|ověř\S* .{0,10}(jste|že jste) člověk|nejste robot|overuje.{0,20}človek/,
  /(verifierar|bekräfta|bekreft|bekræft|vahvista) .{0,10}(att )?(du|at du|että olet) .{0,6}(människa|menneske|ihminen)|(inte|ikke) .{0,10}en robot|et ole robotti/,
  /(memverifikasi|verifikasi) bahwa anda|bukan robot|xác minh (rằng )?bạn là con người|không phải (là )?(rô-bốt|robot|người máy)/,
  /ότι είστε άνθρωπος|δεν είστε ρομπότ|hogy ön ember|nem robot|că sunteți (om|uman)|nu (sunteți|ești) (un )?robot/,
  /ว่าคุณเป็นมนุษย์|ไม่ใช่(โปรแกรม)?(หุ่นยนต์|โรบอต)|कि आप (एक )?(मनुष्य|इंसान) हैं|रोबोट नहीं/,
  /trwa weryfikacja (bezpieczeństwa|przeglądarki)|проверя(ем|ется) (ваш )?браузер|символы с картинки|anti-robot(er)?-verif|verifica che sei (un )?(essere )?umano/,
  // The slider of the most common captcha vendor.
  /vitesse surhumaine|super-?human speed|übermenschlicher geschwindigkeit|velocidad sobrehumana|velocità sovrumana|velocidade sobre-?humana/,
  /(faites glisser|glissez) .{0,10}(vers la )?droite|desli(za|ce) .{0,10}(hacia )?la derecha|nach rechts (schieben|ziehen)|(schieben|ziehen) sie .{0,30}nach rechts|scorri .{0,10}destra/,
  // A shop's click before shopping continues, and the characters of a captcha image.
  /klick\S* .{0,10}auf die schaltfläche unten|cliquez sur le bouton ci-dessous pour (continuer|poursuivre)|haz clic en el botón .{0,20}para (seguir|continuar) comprando|fai clic sul pulsante .{0,20}continuare|clique no botão .{0,20}(continuar|seguir) comprando|klik op de .{0,20}knop .{0,20}verder te winkelen|ボタンをクリックして(ください。)?.{0,10}(買い物|ショッピング)/,
  /(geben sie|gib) die .{0,20}zeichen .{0,10}ein|saisissez les caractères|(introduc[ae]|escrib[ae]) los caracteres|inserisci i caratteri|digite os caracteres|表示されている文字を入力/,
]

const REFUSALS: readonly RegExp[] = [
  /zugriff (wurde )?verweigert|zugang (wurde )?(verweigert|gesperrt)|ihre ip(-adresse)? (wurde|ist) (gesperrt|blockiert)/,
  /accès (refusé|interdit|bloqué)|adresse ip a été bloquée/,
  /acceso (denegado|bloqueado|prohibido)|no tiene permisos? para acceder/,
  /acesso (negado|bloqueado)|não tem permissão para acessar/,
  /accesso (negato|bloccato|vietato)|indirizzo ip è stato bloccato/,
  /toegang (geweigerd|geblokkeerd)|dostęp (zabroniony|zablokowany)|erişim(iniz)? engellen/,
  /доступ (к .{1,40} )?(ограничен|запрещ[её]н|заблокирован)/,
  /アクセスが(拒否|制限)|액세스가 거부|접근이 (거부|차단)|访问(被拒绝|受限)|存取被拒/,
  /zu viele anfragen|trop de (requêtes|demandes)|demasiadas (solicitudes|peticiones)|muitas solicitações|troppe richieste|слишком много запросов|请求过于频繁|リクエストが多すぎ/,
  /vous avez été bloqué|(usted )?ha sido bloqueado|sie wurden (blockiert|gesperrt)|sei stato bloccato|você foi bloqueado/,
  /(ungewöhnliche|verdächtige) (aktivität|anfragen|zugriffe|netzwerkaktivität)|activité (inhabituelle|suspecte)|(actividad|tráfico) (inusual|poco habitual|sospechos|extraño)|hemos detectado un uso indebido|attività (insolit|sospett)|(atividade|tráfego) (incomum|suspeit)|nietypową aktywność|olağandışı (trafik|etkinlik)|подозрительн(ая|ую|ой) активност|(비정상적인|비정상) (접근|트래픽)|異常なアクセス|异常(流量|访问)/,
  /javascript und cookies,? (um|zum) |javascript et les cookies pour|javascript y las cookies para/,
]
export const BOT_SIGNS_WORLD: readonly RegExp[] = [...HUMANS, ...REFUSALS]

export const GEO_SIGNS_WORLD =
  /in (deinem|ihrem|diesem) (land|region) (leider |derzeit |momentan )?nicht verfügbar|pas disponible dans (votre|ce) (pays|région)|no est[áa] disponible en (tu|su|este) (país|región)|não está disponível (no seu|em seu|nesta) (país|região)|non (è )?disponibile (nel tuo|nel suo|in questo) paese|niet beschikbaar in (jouw|uw|je) (land|regio)|недоступ(ен|но|на) в вашей? (стране|регионе)|(国|地域)では(ご)?利用(いただけ|でき)ません|您所在的(国家|地区)/

export const LOGIN_SIGNS_WORLD =
  /(bitte )?(melden sie sich|melde dich|loggen sie sich) an|(sie müssen|du musst) (angemeldet|eingeloggt) sein|vous devez (être connecté|vous connecter)|connectez-vous (pour|afin)|para continuar, (ingresa|inicia sesión)|(debes|debe|tienes que|inicia|inicie) (iniciar )?sesión (para|antes)|faça login para|(è necessario|devi) (accedere|effettuare il login|effettuare l'accesso)|(log in|je moet ingelogd zijn) om (verder|door) te|(войдите|авторизуйтесь),? чтобы|ログインしてください|请(先)?登[录入]|로그인이 필요/
/** Notices on readable pages: only replying requires a login. */
export const LOGIN_TO_ANSWER =
  /(you must|you need to|please|you have to)?( be)? ?(log(ged)? ?in|sign(ed)? ?in|register)( or (sign up|register|log ?in|sign ?in|create an account))? (to|before) (reply|answer|comment|post|leave|write|save|star|vote|rate|follow|add|react|join the)|(melden sie sich|melde dich|loggen sie sich|logge dich)( bitte)? (an|ein),? um zu (antworten|kommentieren|schreiben|bewerten)|(sie müssen|du musst) (angemeldet|eingeloggt) sein,? um .{0,30}(antworten|kommentieren|schreiben|kommentar)|(vous devez être connecté|connectez-vous) pour (répondre|commenter|publier|laisser|poster)|(debes|inicia|inicie) .{0,20}(sesión|conectado) para (responder|comentar|publicar|dejar)|faça login para (responder|comentar)|(accedi|devi .{0,20}) per (rispondere|commentare|lasciare)|(войдите|авторизуйтесь),? чтобы (ответить|оставить|комментировать|написать)/g
export const LOGIN_TITLES =
  /(^|[^\p{L}])(log ?in|sign ?in|login|anmelden|anmeldung|einloggen|connexion|se connecter|iniciar sesión|inicio de sesión|acceder|accedi|entrar|inloggen|zaloguj się|войти|вход|авторизация|登录|登入|ログイン|로그인)([^\p{L}]|$)/u

/** Texts in place of the rest of an article. */
export const PAYWALL_SIGNS =
  /(article|story) is (only |exclusively )?(for|available (only )?(to|for)|reserved for|exclusive to) ((our|paid|paying) )?(subscribers|members)|subscribe to (continue|keep|read|unlock)|to (continue|keep) reading|unlock this (article|story)|(nur|exklusiv) für (unsere )?abonnent|(jetzt|mit .{1,30}) (abonnieren und )?weiterlesen|réservé (à nos|aux) abonnés|il vous reste \d+ ?%|(solo|exclusivo|exclusiva) para suscriptores|(contenuto|articolo) riservato agli abbonati|alleen voor abonnees|exclusivo para assinantes|только (для|по) подписчик|会員限定|有料会員|订阅后(可)?阅读/

export const CONSENT_SIGNS_WORLD =
  /bevor (sie|du) (zu|fortf)|mit werbung (weiter)?lesen|mit werbung und tracking|pur-abo|(wir|unsere partner) .{0,40}(verwenden|nutzen|setzen) .{0,30}cookies|avant de continuer|partenaires .{0,40}(utilis|stock|dépos).{0,40}cookies|continuer sans accepter|nuestros (\d+ )?socios .{0,40}cookies|nostri (\d+ )?partner .{0,40}cookie|onze (\d+ )?partners .{0,40}cookies|nossos (\d+ )?parceiros .{0,40}cookies|partnerzy .{0,60}cookie/
/** The choices that a consent notice offers. */
export const CONSENT_CHOICES =
  /accept|consent|reject|agree|akzeptier|zustimm|einwillig|ablehnen|refuser|acept|rechaz|rejeit|accett|rifiut|accepteren|akkoord|weigeren|akceptuj/
export const AGE_SIGNS =
  /(are you|i am|you are) (over|at least|under) (18|21)|of legal (drinking|smoking|purchase) age|(must be|you are) (18|21)( years)?( of age)? or (older|over)|(volljährig|über 18) (sind|bist)|avez-vous (plus de )?18 ans|(eres|es usted) mayor de edad/

export const SCRIPT_SIGNS_WORLD =
  /aktivieren sie (bitte )?javascript|javascript (muss )?(aktiviert|eingeschaltet)|activer (le )?javascript|(habilit[ae]|activ[ae])r? (el )?javascript|habilite o javascript|abilit(a|are) javascript|schakel javascript in\b|javascript is uitgeschakeld|включите javascript|javascriptを有効|启用 ?javascript|javascript를 (활성화|사용)/

export const ERROR_TITLES_WORLD =
  /^((seite|página|pagina) (nicht gefunden|no encontrada|não encontrada|non trovata|niet gevonden)|page (introuvable|non trouvée)|strona nie (została )?znalezion|sayfa bulunamadı|страница не найдена|ページが見つかりません|页面(不存在|未找到)|找不到(页面|頁面|网页)|페이지를 찾을 수|sidan (hittades|finns) inte|siden (blev|ble|findes|finnes) ikke|fant ikke siden|sivua ei löy(dy|tyn)|stránk[au] (nenalezena|nebyla nalezena|neexistuje|sa nenašla)|الصفحة غير موجودة|הדף לא נמצא|halaman tidak ditemukan|không tìm thấy trang|az oldal nem található|pagina nu (a fost găsită|există)|η σελίδα δεν (βρέθηκε|υπάρχει)|сторінк[ау] не (знайдено|існує)|wartungsarbeiten|en maintenance|(sitio )?en mantenimiento|mantenimiento$|in manutenzione)/
export const ERROR_SIGNS_WORLD =
  /seite .{0,40}(existiert (leider )?nicht|nicht (mehr )?(gefunden|verfügbar|erreichbar))|wartungsarbeiten .{0,60}(nicht|seite|website)|page .{0,60}(n'existe (pas|plus)|introuvable|a été (déplacée|supprimée))|página .{0,60}(no existe|no (se )?(encuentra|encontr)|não existe|não foi encontrada)|pagina .{0,60}(non (esiste|è stata trovata|è disponibile)|bestaat niet|niet gevonden)|strona .{0,40}nie istnieje|страниц[аы] .{0,40}не (существует|найдена)|ページ(は|が)?(見つかりません|存在しません)|sidan .{0,40}(finns .{0,15}inte|hittades inte)|siden .{0,40}(findes|finnes|eksisterer) .{0,10}ikke|sivua ei .{0,20}löy(dy|tyn)|stránka .{0,30}(neexistuje|nebyla nalezena)|nie znaleziono strony|sayfa(yı)? .{0,20}(bulunamadı|bulamadık|mevcut değil)|الصفحة .{0,40}غير موجودة|הדף .{0,20}לא (קיים|נמצא)|halaman .{0,40}tidak ditemukan|trang .{0,30}không tồn tại|oldal nem (található|létezik)|pagina .{0,30}nu (există|a fost găsită)|σελίδα .{0,30}δεν (υπάρχει|βρέθηκε)|сторінк[ау].{0,30}не (існує|знайдено)|アクセスが集中し|页面.{0,10}(不存在|已被?删除|未找到)|페이지를 찾을 수 없/
