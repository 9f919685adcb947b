const USUAL = '/balance'

/** Those that ask a stranger to sign in, with their queries. */
const PAGE = /^\/(?:balance|account|keys(?:\/agk_\w{1,64})?)(?:\?[\w=&%.+*~-]{0,1000})?$/

/**
 * The page that somebody wanted who is to sign in first: they come to it afterwards. What is named is not to be believed,
 * because a link of another site may name anything, so it is one of a few pages of this gateway, or else the balance.
 */
export function nextPage(named: string): string {
  return PAGE.test(named) ? named : USUAL
}
