/** Recognises job titles in the topic of an intent. */

const ROLE =
  /\b(?:manager|engineer|director|founder|c[etfomi]o|chief|head|vp|president|officer|developer|designer|recruiter|marketer|analyst|scientist|partner|nurse|doctor|physician|dentist|teacher|lawyer|attorney|accountant|consultant|buyer|owner|architect|administrator|executive|representative|specialist|coordinator|programmer|researcher|professor|editor|journalist|writer|investor|realtor|agent|salesperson|controller|lead)s?\b/i

/** Whether a topic describes people: its first words end in a job title. */
export function isAboutPeople(topic: string): boolean {
  const head = topic.split(/,| (?:in|at|from|of|near|who|that|with|for)\b/)[0] ?? ''
  const isKindOfPeople = head.includes(' ') || (head.endsWith('s') && head !== topic)
  return (
    new RegExp(`${ROLE.source}$`, 'i').test(head) &&
    isKindOfPeople &&
    !/\b(?:hiring|compan|jobs?\b|vacanc|salar|review)/i.test(head)
  )
}

/** The role in a topic: "marketing manager" for "marketing managers in Berlin". Empty without a job title. */
export function roleOf(topic: string): string {
  if (!ROLE.test(topic)) return ''
  const asRole = /^(?:who )?works? .{0,200}\bas (?:an? |the |their )?(.{2,60})$/i.exec(topic)?.[1]
  if (asRole !== undefined) return asRole
  const role =
    topic
      .split(/ (?:in|at|from|of|near|based|who|that|with|working|for|,)\b/)[0]
      ?.replace(/^(?:some|all|the|any|people who are|people|employees|contacts) ?/i, '') ?? ''
  return role.replace(/([^s])s$/, '$1').trim()
}
