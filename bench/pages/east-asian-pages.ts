/**
 * Chinese, Japanese and Korean pages written for the bench and the tests, because the gold sets have almost none. The
 * layouts follow news sites, forums and blogs of these countries.
 */
export type WrittenPage = {
  readonly name: string
  readonly url: string
  readonly html: string
  /** The text of the main content; of a thread, its posts without authors and dates. */
  readonly gold: string
  readonly isThread?: boolean
}

const list = (name: string, texts: readonly string[]): string =>
  `<ul class="${name}">${texts.map((text, at) => `<li><a href="/a/${name}/${at}.html">${text}</a></li>`).join('')}</ul>`
const paragraphs = (texts: readonly string[]): string =>
  texts.map((text) => `<p>${text}</p>`).join('\n')
const document = (language: string, title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`

const HARBOUR = [
  '港口管理局周二公布了新的渡轮时刻表。从下月起，往返两岸的渡轮将由每小时一班增加到每二十分钟一班，末班船延后至午夜。',
  '管理局负责人表示，过去三年乘客人数增长了将近一半，早晚高峰期间经常有人需要等候两班船。新购入的四艘电动渡轮每艘可载三百人，充一次电可以往返六次。',
  '沿岸居民对此反应不一。住在码头附近的陈女士说，船只变多以后，她上班可以节省二十分钟；也有商户担心施工期间客流减少，希望管理局给予补偿。',
  '票价暂时不变，成人单程三元，学生和老人半价。管理局称，明年将根据运营成本重新评估。',
]
const REPLIES = [
  '我用這台腳踏車通勤兩年了，每天來回二十公里，除了換過一次煞車皮，幾乎沒有花錢維修，建議你先試騎再決定。',
  '變速器調整其實不難，網路上有很多教學影片，工具只要一支六角扳手就夠了。輪組的話，原廠的已經很耐用。',
  '如果預算在兩萬以內，我會選鋁合金車架，重量差不到一公斤，價格卻差了將近一倍，剩下的錢可以買好一點的車燈和安全帽。',
  '謝謝大家的意見，週末去店裡試騎了兩台，最後選了大家推薦的那一台，店員還幫我免費調整了座墊的高度。',
]
const TRAIN = [
  '県は二十日、廃線となった山間部の鉄道の線路を、自転車と歩行者のための道として整備する計画を発表した。全長は三十二キロで、五つの旧駅舎は休憩所として残される。',
  '工事は来年春に始まり、二年後の完成を目指す。総事業費は約四十億円で、その三分の一を国の補助金でまかなう。',
  '沿線の町では人口の減少が続いており、観光客の増加に期待する声が多い。旧駅の近くで食堂を営む男性は「電車がなくなってから客が減った。自転車の人が立ち寄ってくれればうれしい」と話した。',
  '一方、橋の老朽化が課題として残る。専門家による調査では、十二の橋のうち四つで補強が必要とされた。',
]
const BREAD = [
  '天然酵母のパンを焼きはじめて三年になります。最初の一年は失敗ばかりで、ふくらまない日も、酸っぱくなりすぎる日もありました。',
  '大事なのは温度です。夏は冷蔵庫でゆっくり、冬は毛布で包んで発酵させると、同じ粉でも味がまったく変わります。',
  '水は粉の七割にします。生地がべたつくときは、粉を足すのではなく、三十分ほど休ませてから折りたたむとまとまります。',
]
const LIBRARY = [
  '시는 오는 3월부터 시립 도서관의 운영 시간을 밤 11시까지 연장한다고 12일 밝혔다. 주말에도 같은 시간까지 문을 열며, 새벽에는 무인 반납기를 이용할 수 있다.',
  '이번 결정은 지난해 실시한 설문 조사 결과에 따른 것이다. 응답자의 68퍼센트가 퇴근 후에 책을 빌릴 시간이 부족하다고 답했다.',
  '시는 사서 스무 명을 새로 채용하고, 오래된 열람실의 조명과 의자를 교체할 계획이다. 예산은 모두 35억 원으로 시의회의 승인을 이미 받았다.',
  '도서관을 자주 찾는다는 대학생 김 모 씨는 “시험 기간마다 자리를 구하기 어려웠는데 시간이 늘어나 반갑다”고 말했다.',
]
const TENT = [
  '지난 주말에 처음으로 혼자 캠핑을 다녀왔습니다. 바람이 많이 불어서 텐트를 치는 데만 한 시간이 걸렸지만, 밤하늘의 별을 보는 순간 피로가 모두 사라졌습니다.',
  '준비물 가운데 가장 유용했던 것은 작은 접이식 의자와 보온병이었습니다. 반대로 큰 버너는 무겁기만 하고 한 번밖에 쓰지 않았습니다.',
  '다음에는 짐을 절반으로 줄이고, 해가 지기 두 시간 전에는 도착하려고 합니다.',
]

export const EAST_ASIAN_PAGES: readonly WrittenPage[] = [
  {
    name: 'a Chinese news article',
    url: 'https://news.example/c/2026-11-03/doc-2231.shtml',
    gold: HARBOUR.join('\n'),
    html: document(
      'zh-CN',
      '渡轮增至二十分钟一班_本地新闻_港口网',
      `<div class="top-nav">${list('nav', ['首页', '新闻', '财经', '体育', '娱乐', '科技', '汽车', '房产'])}<span>登录</span> <span>注册</span></div>
<div class="path">港口网 &gt; 本地新闻 &gt; 正文</div><div class="main-title-wrap"><h1 class="main-title">渡轮增至二十分钟一班</h1><div class="date-source"><span class="date">2026年11月03日 09:12</span> <span class="source">港口日报</span></div></div>
<div class="wrap"><div class="article" id="artibody">${paragraphs(HARBOUR)}</div><div class="share">分享到：微信 微博 QQ空间</div>
<div class="hot-news"><h3>热门排行</h3>${list('rank', ['市中心新商场周末开业', '两条公交线路临时改道', '气象台发布大风预警', '海鲜市场明起重新营业', '中学生获得机器人比赛冠军', '博物馆延长夜间开放时间', '老街修缮工程完成'])}</div>
<div class="recommend"><h3>相关推荐</h3>${list('rel', ['电动渡轮试航成功', '码头将新建停车场', '去年旅客人数创新高', '学生月票网上办理指南'])}</div></div>
<div class="footer">关于我们 | 广告服务 | 联系我们 | 招聘信息<br>版权所有 港口网 备案号 1234567</div>`,
    ),
  },
  {
    name: 'a Chinese forum thread',
    url: 'https://bbs.example/thread-88213-1-1.html',
    gold: REPLIES.join('\n'),
    isThread: true,
    html: document(
      'zh-TW',
      '通勤腳踏車該怎麼選？ - 單車討論區 - 城市論壇',
      `<div id="hd">${list('nav', ['論壇首頁', '最新文章', '排行榜', '會員列表', '幫助'])}<a href="/login">登入</a> <a href="/register">註冊</a></div><div id="pt">城市論壇 › 生活 › 單車討論區</div><h1>通勤腳踏車該怎麼選？</h1>
${REPLIES.map((reply, at) => `<table class="plhin" id="pid${at}"><tr><td class="pls"><div class="authi"><a href="/u/${at}">騎士${at}號</a></div><p>註冊會員</p><dl><dt>帖子</dt><dd>${at}12</dd><dt>積分</dt><dd>${at}045</dd></dl></td><td class="plc"><div class="pi"><em>發表於 2026-11-0${at + 1} 20:1${at}</em></div><div class="t_f">${reply}</div><div class="po"><a href="#">回覆</a> <a href="#">檢舉</a></div></td></tr></table>`).join('')}
<div class="side">${list('hot', ['二手車架買賣注意事項', '環島路線分享', '本週團騎報名', '車燈亮度比較'])}</div><div id="ft">Archiver | 手機版 | 小黑屋 | 版權所有 城市論壇</div>`,
    ),
  },
  {
    name: 'a Japanese news article',
    url: 'https://shimbun.example/articles/20261120-railway.html',
    gold: TRAIN.join('\n'),
    html: document(
      'ja',
      '廃線を自転車道に 県が整備計画：港新聞デジタル',
      `<header>${list('gnav', ['トップ', '社会', '経済', '政治', '国際', 'スポーツ', '文化', 'オピニオン'])}<a href="/login">ログイン</a><a href="/signup">会員登録</a></header>
<main><article><h1>廃線を自転車道に 県が整備計画</h1><p class="date"><time>2026年11月20日 18時30分</time></p><div class="sns">シェア ツイート ブックマーク</div><div class="article-body">${paragraphs(TRAIN)}</div></article>
<section class="related"><h2>関連記事</h2>${list('links', ['旧駅舎がカフェに', '県内の観光客、三年ぶりに増加', '橋の点検、五年で一巡'])}</section></main>
<aside><h2>アクセスランキング</h2>${list('ranking', ['台風、週末に接近のおそれ', '新しい市長が初登庁', '給食費の無償化を検討', '駅前の書店が閉店へ', '高校野球、決勝は港北と西'])}</aside>
<footer>${list('fnav', ['会社案内', '利用規約', 'プライバシーポリシー', 'お問い合わせ'])}<small>港新聞社 無断転載を禁じます</small></footer>`,
      '<meta property="og:type" content="article">',
    ),
  },
  {
    name: 'a Japanese blog post',
    url: 'https://blog.example/entry/2026/10/bread',
    gold: BREAD.join('\n'),
    html: document(
      'ja',
      '天然酵母のパン - 台所の日記',
      `<div id="header"><a href="/">台所の日記</a><p>毎日の食べもののこと</p></div><div id="main"><div class="entry"><h2 class="entry-title"><a href="/entry/2026/10/bread">天然酵母のパン</a></h2><div class="entry-content">${paragraphs(BREAD)}</div><div class="entry-footer">カテゴリ：<a href="/c/pan">パン</a> <a href="#c">コメント(3)</a></div></div></div>
<div id="side"><h3>プロフィール</h3><p>台所に立つのが好きな会社員です。</p><h3>最新記事</h3>${list('recent', ['さんまの塩焼き', '梅干しの土用干し', '新米が届きました', '冷やし茶漬け'])}<h3>月別アーカイブ</h3>${list('archive', ['2026年10月', '2026年9月', '2026年8月', '2026年7月'])}</div><div id="footer">Powered by 日記ブログ</div>`,
    ),
  },
  {
    name: 'a Korean news article',
    url: 'https://ilbo.example/news/articleView.html?idxno=41822',
    gold: LIBRARY.join('\n'),
    html: document(
      'ko',
      '시립 도서관, 밤 11시까지 연다 - 항구일보',
      `<div id="user-header">${list('gnb', ['전체', '정치', '경제', '사회', '문화', '스포츠', '오피니언'])}<a href="/login">로그인</a> <a href="/join">회원가입</a></div><div class="article-head"><h3 class="heading">시립 도서관, 밤 11시까지 연다</h3><ul class="infomation"><li>기자명 박 기자</li><li>입력 2026.11.12 10:20</li><li>댓글 0</li></ul></div>
<div id="article-view-content-div" class="article-body">${paragraphs(LIBRARY)}</div><div class="copyright">저작권자 © 항구일보 무단전재 및 재배포 금지</div>
<div class="sidebar"><strong>많이 본 뉴스</strong>${list('rank', ['주말 전국에 비', '버스 요금 오른다', '전통 시장 새 단장', '축제 교통 통제 안내', '프로야구 개막전 매진'])}<strong>추천 기사</strong>${list('reco', ['동네 책방 지도 나왔다', '어린이 도서관 개관', '전자책 대출 두 배로'])}</div><div id="user-footer">회사소개 | 광고문의 | 개인정보처리방침 | 이용약관</div>`,
    ),
  },
  {
    name: 'a Korean blog post',
    url: 'https://blog.example/kr/223140',
    gold: TENT.join('\n'),
    html: document(
      'ko',
      '혼자 떠난 첫 캠핑 : 느린 여행',
      `<div class="wrap"><div class="head"><a href="/">느린 여행</a></div><div class="area_view"><h1>혼자 떠난 첫 캠핑</h1><div class="info">여행 · 2026. 10. 18. 21:40</div><div class="contents_style">${paragraphs(TENT)}</div><div class="container_postbtn">공감 공유하기 신고</div></div><div class="area_related"><h4>‘여행’ 카테고리의 다른 글</h4>${list('other', ['기차로 떠나는 남쪽 바다', '비 오는 날의 산책길', '작은 섬의 민박집'])}</div><div class="aside">${list('cat', ['분류 전체보기', '여행', '요리', '사진'])}<h4>최근 댓글</h4>${list('comments', ['잘 읽었습니다', '사진이 멋지네요'])}</div></div>`,
    ),
  },
]
