/** From Nyne's API documentation. */
import {
  address,
  answer,
  anything,
  flag,
  items,
  maybe,
  oneOf,
  open,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const STATES = ['queued', 'processing', 'pending', 'completed', 'failed']
const success = flag('Whether the vendor accepted the request.')
const state = oneOf('The state of the request.', STATES)
const moment = (description: string) => maybe(time(description))

const submitted = answer({
  request_id: text('The id of the request, for deepenrich/result.'),
  success,
  data: maybe(
    record("The vendor's own answer.", {
      request_id: maybe(text('The id of the request.')),
      status: maybe(state),
      message: maybe(text('The state in words.')),
    }),
  ),
  timestamp: moment('When the request was accepted.'),
})

const profile = maybe(
  record('A profile.', {
    url: maybe(address('The URL of the profile.')),
    username: maybe(text('The name in the URL.')),
    followers: maybe(anything('The number of followers.')),
    connections: maybe(anything('The number of connections.')),
  }),
)
const result = maybe(
  record('The result. Its fields depend on the endpoint. Absent until the request is completed.', {
    displayname: maybe(text('person-enrich: the full name.')),
    firstname: maybe(text('person-enrich: the first name.')),
    lastname: maybe(text('person-enrich: the last name.')),
    bio: maybe(text('person-enrich: what the person states in the profile.')),
    location: maybe(text('person-enrich: the place.')),
    gender: maybe(text('person-enrich: the gender, as the vendor infers it.')),
    fullphone: maybe(
      records('person-enrich: the phone numbers.', {
        fullphone: maybe(text('The number with the country code.')),
        type: maybe(text('The kind of line, such as "mobile".')),
      }),
    ),
    altemails: maybe(words('person-enrich: further email addresses.')),
    best_work_email: maybe(text('person-enrich: the surest address at an employer.')),
    best_personal_email: maybe(text('person-enrich: the surest private address.')),
    social_profiles: maybe(
      record('person-enrich: the profiles of the person.', {
        linkedin: profile,
        twitter: profile,
        github: profile,
        instagram: profile,
        facebook: profile,
      }),
    ),
    organizations: maybe(
      records('person-enrich: the jobs, newest first.', {
        name: maybe(text('The employer.')),
        title: maybe(text('The job title.')),
        startDate: maybe(time('When the job began.')),
        endDate: maybe(time('When the job ended.')),
      }),
    ),
    schools_info: maybe(items('person-enrich: the schools.', open('A school.'))),
    probability: maybe(anything('person-enrich: how sure the match is, if requested.')),
    funders: maybe(
      items(
        'company-funders: the investors with name, domain, partners, thesis and investments.',
        open('An investor.'),
      ),
    ),
    interactions: maybe(
      items('person-interactions: the replies or followers.', open('A reply or a follower.')),
    ),
  }),
)

export const returns: Returns = {
  'person-enrich': submitted,
  'company-funders': submitted,
  'person-interactions': submitted,
  result: answer({
    status: state,
    result,
    success,
    data: maybe(
      record("The vendor's own answer.", {
        request_id: maybe(text('The id of the request.')),
        status: maybe(state),
        completed: maybe(flag('Whether the request has ended.')),
        created_on: moment('When the request was accepted.'),
        completed_on: moment('When the request ended.'),
        result: maybe(open('The same as `result`.')),
        error: maybe(anything('Why the request failed.')),
      }),
    ),
    timestamp: moment('When the answer was written.'),
  }),
}
