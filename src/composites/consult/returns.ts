import { answer, count, maybe, open, records, text } from '../../catalog/vocabulary/returns.ts'

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
