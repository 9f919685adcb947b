/** What walls say, in words that an ordinary page says seldom. All are matched against lower-case visible text. */

/** Titles that are a wall's whole message. */
export const WALL_TITLES =
  /^(just a moment\b|attention required!?|access denied\b|access to this page has been denied|pardon our interruption|are you (a )?(robot|human)|verify(ing)? (that )?you('| a)re (a )?human|human verification|security check|ddos-guard|please wait\b.{0,20}$|you are being redirected|one moment, please|loading\.\.\. please wait|robot check|bot (check|verification|detection)|request rejected|blocked$|robot or human|robot challenge screen|making sure you('| a)re not a bot|not acceptable!?$|(error )?403\b|forbidden$|.{0,60}\b(is )?(temporarily )?blocked$|your session has been suspended|whoa there|sorry! something went wrong|verification required|browser check|checking your browser|performing security verification|client challenge|vercel security checkpoint|.{0,40}automated access detected|un instant|einen moment|un momento|один момент|请稍候|人机验证|安全验证)/

/** Each is one sign of a bot wall; how many are needed depends on how much else the page says. */
export const BOT_SIGNS: readonly RegExp[] = [
  /checking (your browser|if the site connection is secure|that you are (a )?human)/,
  /(verify|verifying|confirm|confirming|prove|check) (that )?(you('| a)re|you) (a |are )?(human|not a (ro)?bot)/,
  /needs to review the security of your connection|connection needs to be verified|checking the site connection security|(verify|verifying|validating) your browser/,
  /complete the (security check|captcha|following challenge|verification|action below)/,
  /(security|verification) challenge/,
  /why do i have to complete a captcha|why have i been blocked|why am i seeing this page/,
  /you('ve| have) been (blocked|banned|denied)|you (are|were) (blocked|banned|denied)|has banned your ip|your (ip( address)?|access|request) (has been|is|was) (temporarily )?(blocked|banned|denied|flagged)/,
  /access (to this (page|site|website|resource) )?(has been|is|was)? ?(denied|blocked|forbidden)/,
  /you don.t have permission to access/,
  /(performance|security) (& security )?by cloudflare|cloudflare ray id|ddos protection by/,
  /enable (javascript and cookies|cookies and javascript)|enable cookies( and reload)?|turn javascript on and reload/,
  /request unsuccessful|incapsula incident|incident id:|requested url was rejected|your support id is/,
  /press (& |and )?hold|(slide|drag) (the |to |right)|click the button below to continue shopping|enter the characters you see/,
  /made us think (that )?you( are|'re| were)? (a )?bot|something about your browser/,
  /unusual (traffic|activity|download activity|requests)|suspicious activity|automated (access|queries|requests|traffic|scraping|systems?|tools?)/,
  /i(’|'| a)m not a robot|not a robot|bots? use|malicious bots|bot (detection|protection|traffic)|kein roboter|pas un robot|vérifi(er|ez) que vous êtes (un )?humain|no (es|eres|soy) un robot|verifi(que|ca) que (es|eres) (un )?humano|não sou um robô|не робот|ロボットではありません/,
  /made by a human|human verification|verify and continue|solve (this|the) (captcha|puzzle)/,
  /redirect(ed)? to (your|the) requested (content|page)|this process is automatic/,
  /(reference|support|ray|request|event|block) ?(#|id|number)\s*:?\s*[0-9a-f.-]{8,}/,
  /website firewall|web application firewall|project shield|wordfence|mod_security|bitninja|(powered|protected) (and protected )?by (akamai|datadome|perimeterx|human|imperva|sucuri|anubis)|access .{0,30}has been limited by|security service (to protect|for protection)/,
  /you will be connected to .{3,80} in just a moment/,
  /before you are allowed to see this page/,
  /rate limit(ed| exceeded)|too many requests|enable js and disable any ad ?blocker|this ip has been (automatically )?blocked/,
  /拖动|滑块|验证码|人机验证|安全验证|访问验证|访问被拒绝|请完成验证|アクセスが拒否|проверка браузера|доступ (ограничен|запрещ[её]н)|zugriff verweigert|accès refusé|acceso denegado/,
  /\bcaptcha\b/,
]

export const LOGIN_SIGNS =
  /(log ?in|sign ?in|register|create an account|subscribe) (to|or (sign|log|register)[^.]{0,20} to) (continue|view|read|see|access|unlock)|you must (be logged in|log ?in|sign ?in)|(please|you need to) (log|sign) ?in\b|members only|to continue reading/
export const CONSENT_SIGNS = /before you continue to|we value your privacy|(we|our partners|this (web)?site) (and our partners )?uses? cookies|accept (all|cookies)|manage (consent|cookies|preferences|options)|bevor (sie|du) (zu|fortf)|avant de continuer/
export const GEO_SIGNS = /not (currently )?available in your (country|region|location)|unavailable (in your (country|region)|for legal reasons)|from the european economic area/
export const SCRIPT_SIGNS = /(enable|requires?|activate|turn on|need|doesn't work (properly )?without) (to enable |to run )?(javascript|js)\b|javascript (is )?(required|disabled|not enabled|must be enabled)|(browser|app).{0,40}without javascript|aktivieren sie javascript|activer javascript|habilit[ae]r? javascript/
export const ERROR_TITLES = /^((error )?(404|403|500|502|503|504)\b|(page|seite|página|file) (not found|nicht gefunden|no encontrada)|not found\b|bad gateway|service (temporarily )?unavailable|gateway time-?out|internal server error|forbidden\b|oops\b|.{0,60}\b(404|page not found|not found)$)/
export const ERROR_SIGNS = /(page|url|file|content|resource) (you (are|were) looking for|you requested|requested) (was not|could not be|cannot be|can.t be|is not|doesn.t|no longer|does not|isn.t)|(page|requested url|document) (was )?not found|(can.t|could not|couldn.t|cannot) find (that|the|this) page|internal server error|bad gateway|service (temporarily )?unavailable|gateway time-?out/
