/** From 2Captcha's reference of createTask and getTaskResult. */
import {
  answer,
  anything,
  count,
  maybe,
  oneOf,
  record,
  text,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

export const returns: Returns = {
  solve: answer({ taskId: text('The id of the task, for captcha/result.') }),
  result: answer({
    errorId: count('Always 0. A failed task is an error.'),
    status: maybe(oneOf('"ready" once the captcha is solved.', ['processing', 'ready'])),
    solution: maybe(
      record('The solution. Its fields depend on the type of the task.', {
        token: maybe(text('The token to put into the form.')),
        gRecaptchaResponse: maybe(text('The token of a reCAPTCHA.')),
        text: maybe(text('The text of an image.')),
        userAgent: maybe(text('Send the form with this user agent.')),
        challenge: maybe(text('GeeTest: the challenge.')),
        validate: maybe(text('GeeTest: the validation code.')),
        seccode: maybe(text('GeeTest: the security code.')),
        captcha_id: maybe(text('GeeTest 4: the id of the captcha.')),
        lot_number: maybe(text('GeeTest 4: the number of the attempt.')),
        pass_token: maybe(text('GeeTest 4: the token.')),
        gen_time: maybe(text('GeeTest 4: when it was solved.')),
        captcha_output: maybe(text('GeeTest 4: the answer.')),
        cookies: maybe(anything('The cookies to send with the form.')),
      }),
    ),
    cost: maybe(text("The vendor's price in USD. The charge is in the envelope.")),
    ip: maybe(text('The address that the task was sent from.')),
    createTime: maybe(count('When the task was created.', 'Unix seconds')),
    endTime: maybe(count('When it was solved.', 'Unix seconds')),
    solveCount: maybe(count('The number of workers who solved it.')),
  }),
}
