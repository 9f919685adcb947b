/**
 * Words that describe people, work, trades and places. They distinguish "product managers at Acme"
 * from "Ana Example at Acme".
 */
const WORDS = [
  // who
  'people person persons anyone anybody everyone someone somebody team teams staff employee employees member members colleague colleagues worker workers',
  'man men woman women female male lady ladies guy guys youth student students alumni alumnus alumna graduate graduates intern interns trainee candidate candidates',
  'expert experts specialist specialists professional professionals talent talents influencer influencers speaker speakers author authors mentor mentors',
  // roles
  'ceo cfo cto coo cmo cio ciso cpo cro chro cso cdo vp svp evp avp md gm chief chiefs officer officers president presidents vice chair chairman chairwoman chairperson',
  'director directors manager managers management head heads lead leads leader leaders leadership executive executives exec execs principal principals partner partners',
  'owner owners founder founders cofounder cofounders founding associate associates assistant assistants administrator administrators coordinator coordinators',
  'supervisor supervisors consultant consultants advisor advisors adviser advisers analyst analysts strategist strategists planner planners buyer buyers',
  'engineer engineers engineering developer developers development devs programmer programmers coder coders architect architects designer designers design',
  'scientist scientists researcher researchers research professor professors lecturer lecturers teacher teachers doctor doctors physician physicians surgeon surgeons',
  'nurse nurses dentist dentists pharmacist pharmacists therapist therapists practitioner practitioners lawyer lawyers attorney attorneys counsel judges paralegal',
  'accountant accountants auditor auditors controller controllers bookkeeper treasurer banker bankers trader traders broker brokers underwriter actuary investor investors',
  'angels recruiter recruiters recruiting sourcer writer writers editor editors journalist journalists reporter reporters blogger photographer producer artist artists',
  'seller sellers salesperson salespeople marketer marketers agent agents representative representatives rep reps operator operators technician technicians mechanic electrician',
  'plumber plumbers contractor contractors builder builders driver drivers pilot pilots chef chefs realtor realtors landlord clerk secretary receptionist',
  'entrepreneur entrepreneurs freelancer freelancers maker makers creator creators decision stakeholder stakeholders contact contacts board',
  'googler googlers xoogler xooglers amazonian amazonians veteran veterans',
  // level and manner
  'senior junior mid midlevel staff entry level experienced former current ex retired certified licensed interim acting deputy global regional national local international',
  'fullstack full stack frontend backend front back end remote hybrid part time new best top leading famous notable all any some most every other good great early late stage',
  'native speaking bilingual based working hiring looking open similar like who that with without in on for of the and or near around within by to from at my our their',
  // departments and trades
  'sales marketing finance financial hr human resources legal operations ops product products project program programme procurement purchasing supply chain logistics',
  'security data machine learning ai ml artificial intelligence devops sre infrastructure platform cloud network systems software hardware web mobile app apps it technical',
  'technology tech customer success support service services growth demand brand content social media communications pr public relations partnerships business corporate',
  'strategy quality assurance qa test testing compliance risk audit tax accounting treasury investment investments banking insurance payments credit equity venture capital',
  'private fund funds startup startups company companies firm firms agency agencies enterprise enterprises industry industries sector market markets organization nonprofit',
  'fintech healthtech edtech proptech biotech medtech cleantech insurtech martech adtech saas crypto blockchain gaming retail ecommerce commerce manufacturing automotive',
  'aerospace defense energy oil gas solar climate construction real estate hospitality travel restaurant restaurants hotel hotels food beverage fashion beauty luxury health',
  'healthcare medical pharma pharmaceutical hospital hospitals clinic clinics biology chemistry physics education university universities school schools college government',
  'policy telecom telecommunications entertainment film music sports robotics semiconductor semiconductors quantum consulting advisory series seed yc ycombinator fortune unicorn',
  'ux ui sdr bdr ae csm pm swe phd mba admin admins caller callers cold examiner examiners hygienist hygienists dental patent computer vision buy sell side',
  'wall street hedge navigator python java javascript typescript react django kubernetes aws azure salesforce hubspot sap excel crm erp',
  // places
  'africa america american asia asian europe european eu emea apac latam dach nordics usa us uk uae indian chinese japan japanese germany german french',
  'spain spanish italy italian portugal portuguese netherlands dutch belgium switzerland swiss austria poland polish sweden swedish norway denmark finland irish',
  'english scotland wales canada canadian mexico brazil argentina colombia australia australian zealand singapore korea taiwan vietnam thailand indonesia',
  'malaysia philippines turkey egypt nigeria dubai york francisco angeles san los las united states kingdom north south east west northern southern eastern western',
  'bay area silicon valley hong kong tel aviv munich hamburg frankfurt barcelona lisbon porto amsterdam rotterdam brussels zurich geneva',
  'warsaw stockholm oslo copenhagen helsinki dublin edinburgh manchester rome athens istanbul toronto vancouver montreal chicago seattle texas california',
  'florida atlanta miami philadelphia tokyo osaka beijing shanghai shenzhen seoul mumbai delhi bangalore bengaluru hyderabad pune chennai',
  'auckland nairobi lagos cairo johannesburg city greater nyc sf la bc',
]

/** Places and trades that are also names: "Paris Sample", "Jack London". */
const ALSO_NAMES = new Set(
  'paris london berlin madrid florence georgia chelsea austin dallas houston denver phoenix boston lyon milan vienna sydney melbourne israel jordan chad chile kenya india china ireland england france holland angel judge swift'.split(
    ' ',
  ),
)

const DESCRIPTION_WORDS: ReadonlySet<string> = new Set([
  ...WORDS.flatMap((line) => line.split(' ')),
  ...ALSO_NAMES,
])

/** Endings of unlisted trades in the plural: "welders", "florists", "développeurs". */
const TRADE_ENDING =
  /(?:[^aeiou]ers|tors|ists|ians|ives|ants|ents|ees|logues|smiths|men|women|people|folks|eurs|iers|istes|istas|dores|ieure|entwickler)$/

export function isDescriptionWord(word: string): boolean {
  return DESCRIPTION_WORDS.has(lettersOf(word))
}

/** Whether a description word may also be one part of a name. */
export function isAlsoName(word: string): boolean {
  return ALSO_NAMES.has(lettersOf(word))
}

function lettersOf(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
}

/** For lower-case words, which have no capital to mark a name. */
export function looksLikeTrade(word: string): boolean {
  return TRADE_ENDING.test(word.toLowerCase())
}
