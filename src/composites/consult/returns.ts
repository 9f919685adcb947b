import {
  answer,
  count,
  maybe,
  number,
  open,
  orNull,
  records,
  text,
  words,
} from '../../catalog/vocabulary/returns.ts'

export const returns = {
  consult: answer({
    conversation_id: text('Send it with the reply or with the next task, within a day.'),
    calls: records('The calls to make, in order. Empty if there is a question.', {
      service: text('The first part of the path /api/run/{service}/{action}.'),
      action: text('The second part of the path.'),
      params: open('The body of the request. It is valid without changes.'),
      max_cost_cents: count('The most that the call can cost.', 'cents'),
      why: text('Why this action fits the task.'),
    }),
    later: maybe(
      records('Further steps that need a value of an earlier answer, in order.', {
        service: text('The service.'),
        action: text('The action of the service.'),
        endpoint: maybe(text('The value of the parameter `endpoint`, if the action has many.')),
        params: open('The parameters that are known already.'),
        needs: records('The parameters that an earlier answer gives.', {
          param: text('The name of the parameter.'),
          step: count('The earlier step, counted from 1 through `calls` and `then`.', 'steps'),
          from: orNull(text('The path in its `data`, such as `results[].url`. Null if unknown.')),
        }),
        price_cents: number('The least that the call costs.', 'cents'),
        why: text('Why this action fits the task.'),
      }),
    ),
    left_out: maybe(words('The parts of the intent that no action of the catalog carries out.')),
    question: maybe(text('What is missing for an exact call. Reply in `intent`.')),
    alternatives: maybe(
      records('The actions that the question offers.', {
        service: text('The service.'),
        action: text('The action of the service.'),
        endpoint: maybe(text('The value of the parameter `endpoint`, if the action has many.')),
        summary: text('What the action does.'),
      }),
    ),
  }),
}
