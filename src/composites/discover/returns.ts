import {
  answer,
  flag,
  items,
  maybe,
  number,
  oneOf,
  records,
  text,
  words,
  orNull,
} from '../../catalog/vocabulary/returns.ts'
import { next } from '../shared/returns.ts'

export const returns = {
  discover: answer({
    query: text('Your query.'),
    hits: records('The actions, best first.', {
      service: text('The first part of the path /api/run/{service}/{action}.'),
      action: text('The second part of the path.'),
      endpoint: orNull(text('The value of the parameter `endpoint`, if the action has many.')),
      title: text('The name of the action, or of its endpoint.'),
      price_cents: number('The least that a useful call costs.', 'cents'),
      required_params: words('The parameters that a call must have.'),
      required_one_of: maybe(
        items(
          'Alternatives: the call must also have the parameters of exactly one.',
          words('The parameters of one alternative.'),
        ),
      ),
      summary: text('What the action does.'),
      live: flag('Whether the action works with a live key. Test keys can use all actions.'),
      probability: number('How likely the action fits the task, from 0 to 1.'),
      confidence: oneOf('"low" if the hit is a guess.', ['high', 'low']),
    }),
    next,
  }),
}
