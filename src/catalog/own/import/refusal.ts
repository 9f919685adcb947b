/** Why a part of a document becomes no action. The message completes "GET /pets: …". */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
